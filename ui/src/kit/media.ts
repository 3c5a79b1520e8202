/** What bytes are: told by the bytes, since a server's word for them may be wrong. */

export type Drawn = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
export type Played = 'audio/wav' | 'audio/mpeg' | 'audio/ogg';

/** Bytes of a picture or a sound that are shown or played. */
export const MOST_DRAWN = 15 * 1024 * 1024;
/** A picture of 25 megapixels takes 100 MB of memory when it is drawn. */
export const MOST_PIXELS = 25_000_000;

/** The bytes of base64 text; null where it is none. */
export function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  } catch {
    return null;
  }
}

const starts = (bytes: Uint8Array, at: number, text: string) =>
  [...text].every((sign, index) => bytes[at + index] === sign.charCodeAt(0));

export type Picture = { drawn: true; type: Drawn; width: number; height: number } | { drawn: false; reason: string };

/** Whether a picture is drawn, and how large it is; read from its first bytes, before anything decodes it. */
export function readPicture(bytes: Uint8Array): Picture {
  const not = (reason: string): Picture => ({ drawn: false, reason });
  if (bytes.length === 0) return not('It has no data.');
  const type = pictureType(bytes);
  if (!type) return not('It is not a PNG, JPEG, GIF or WebP picture.');
  const size = pictureSize(bytes, type);
  if (!size || size[0] < 1 || size[1] < 1) return not('Its size could not be read.');
  const [width, height] = size;
  if (width * height > MOST_PIXELS) return not(`It is too large to be shown here (${width} × ${height}).`);
  return { drawn: true, type, width, height };
}

function pictureType(bytes: Uint8Array): Drawn | null {
  if (bytes[0] === 0x89 && starts(bytes, 1, 'PNG\r\n')) return 'image/png';
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  if (starts(bytes, 0, 'GIF8')) return 'image/gif';
  return starts(bytes, 0, 'RIFF') && starts(bytes, 8, 'WEBP') ? 'image/webp' : null;
}

function pictureSize(bytes: Uint8Array, type: Drawn): [number, number] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    switch (type) {
      case 'image/png':
        return [view.getUint32(16), view.getUint32(20)];
      case 'image/gif':
        return [view.getUint16(6, true), view.getUint16(8, true)];
      case 'image/webp':
        return webpSize(view);
      case 'image/jpeg':
        return jpegSize(view);
    }
  } catch {
    return null; // it ends before its size
  }
}

function webpSize(view: DataView): [number, number] | null {
  const kind = String.fromCharCode(view.getUint8(12), view.getUint8(13), view.getUint8(14), view.getUint8(15));
  const three = (at: number) => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1;
  if (kind === 'VP8X') return [three(24), three(27)];
  if (kind === 'VP8 ') return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
  if (kind !== 'VP8L') return null;
  const bits = view.getUint32(21, true);
  return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
}

function jpegSize(view: DataView): [number, number] | null {
  let at = 2;
  while (view.getUint8(at) === 0xff) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker))
      return [view.getUint16(at + 7), view.getUint16(at + 5)];
    else at += 2 + view.getUint16(at + 2);
  }
  return null;
}

export type Sound = { played: true; type: Played } | { played: false; reason: string };

export function readSound(bytes: Uint8Array): Sound {
  const not = (reason: string): Sound => ({ played: false, reason });
  if (bytes.length === 0) return not('It has no data.');
  if (starts(bytes, 0, 'RIFF') && starts(bytes, 8, 'WAVE')) return { played: true, type: 'audio/wav' };
  if (starts(bytes, 0, 'OggS')) return { played: true, type: 'audio/ogg' };
  const frame = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe6) === 0xe2;
  if (starts(bytes, 0, 'ID3') || frame) return { played: true, type: 'audio/mpeg' };
  return not('It is not WAV, MP3 or Ogg sound.');
}

const ENDINGS: Record<string, string> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/svg+xml': 'svg',
  'audio/wav': 'wav',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'text/markdown': 'md',
  'text/html': 'html',
  'text/csv': 'csv',
  'text/plain': 'txt',
};

/** A name to begin with in the save dialog: the end of an address where it makes one. */
export function fileName(stem: string, mimeType: string | null, uri = ''): string {
  const own = /([\p{L}\p{N}_-][\p{L}\p{N}._ -]{0,80})$/u.exec(uri.split(/[?#]/)[0] ?? '')?.[1];
  if (own && /\.[a-z\d]{1,8}$/i.test(own)) return own;
  const known = ENDINGS[(mimeType ?? '').split(';')[0]?.trim().toLowerCase() ?? ''];
  return `${own ?? stem}.${known ?? (mimeType?.startsWith('text/') ? 'txt' : 'bin')}`;
}

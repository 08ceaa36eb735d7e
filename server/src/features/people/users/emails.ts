import { domainToASCII } from 'node:url'
import { requiredLines } from '../../../http/fields.ts'

const longest = 255

/**
 * The form in which e-mail addresses are compared (docs/decisions/0018-email-addresses.md):
 * trimmed, in NFKC and case-folded in every script; a domain in other letters than ASCII as in DNS.
 * Accepts any text, valid address or not. For comparison only: mail goes to the address as it was
 * given.
 */
export function normalEmail(text: string): string {
  const whole = text.trim().normalize('NFKC')
  const at = whole.lastIndexOf('@')
  const local = fold(whole.slice(0, Math.max(at, 0)))
  const domain = whole.slice(at + 1)
  return at < 0 ? fold(domain) : `${local}@${normalDomain(domain)}`
}

/**
 * Whether the text can be the address of an account: visible characters only, also in its normal
 * form.
 */
export function isEmail(text: string): boolean {
  const normal = normalEmail(text)
  return shape.test(text.trim()) && shape.test(normal) && normal.length <= longest
}

const shape =
  /^[^\s@\p{C}\p{Default_Ignorable_Code_Point}]+@[^\s@\p{C}\p{Default_Ignorable_Code_Point}]+$/u

/** The e-mail address of a new account, trimmed. */
export const newEmail = requiredLines('email')
  .refine(isEmail, 'The email must be a valid email address.')
  .transform((text) => text.trim())

function normalDomain(domain: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (/^[\x00-\x7f]*$/.test(domain)) return domain.toLowerCase()
  return domainToASCII(domain) || fold(domain)
}

/**
 * Unicode's full case folding: `ß` becomes `ss`. It works letter by letter, because a whole word in
 * lower case may end with a final sigma. The dotless `ı` stays, although its upper case is `I`.
 */
function fold(text: string): string {
  const folded = Array.from(text, (letter) =>
    letter === 'ı' ? letter : lowerEach(letter.toLowerCase().toUpperCase()),
  )
  return folded.join('').normalize('NFKC')
}

function lowerEach(letters: string): string {
  return Array.from(letters, (letter) => letter.toLowerCase()).join('')
}

import { domainToASCII } from 'node:url'
import { requiredText } from '../../http/fields.ts'

const longest = 255

/**
 * The one form by which e-mail addresses are compared (docs/decisions/0018-email-addresses.md):
 * without the blanks around it, NFKC, and folded, so that case makes no difference in any script. A
 * domain in other letters than ASCII is compared as DNS does. Of any text, also of one that is no
 * address. For comparing only: mail goes to the address as it was given.
 */
export function normalEmail(text: string): string {
  const whole = text.trim().normalize('NFKC')
  const at = whole.lastIndexOf('@')
  const local = fold(whole.slice(0, Math.max(at, 0)))
  const domain = whole.slice(at + 1)
  return at < 0 ? fold(domain) : `${local}@${normalDomain(domain)}`
}

/** Whether an account can have it: of visible characters, in its normal form too. */
export function isEmail(text: string): boolean {
  const normal = normalEmail(text)
  return shape.test(text.trim()) && shape.test(normal) && normal.length <= longest
}

const shape =
  /^[^\s@\p{C}\p{Default_Ignorable_Code_Point}]+@[^\s@\p{C}\p{Default_Ignorable_Code_Point}]+$/u

/** The e-mail address of an account to be made, as it was given but for blanks around it. */
export const newEmail = requiredText('email')
  .refine(isEmail, 'The email must be a valid email address.')
  .transform((text) => text.trim())

function normalDomain(domain: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII
  if (/^[\x00-\x7f]*$/.test(domain)) return domain.toLowerCase()
  return domainToASCII(domain) || fold(domain)
}

/**
 * Unicode's full case folding: `ß` is `ss`. Letter by letter, since the lower case of a whole word
 * has a sigma of its own at the end. The dotless `ı` is no `i`, though its upper case is `I`.
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

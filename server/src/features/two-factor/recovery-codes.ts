import { createHash } from 'node:crypto'
import { generateSecret } from 'otplib'

export const recoveryCodeCount = 10
/** 120 random bits, so that a plain hash protects them (OWASP ASVS 5.0.0, 6.5.2: from 112 on). */
const codeLength = 15

/** Ten codes to print: six groups of four letters or digits (base32, so no 0, 1, 8 or 9). */
export function makeRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const text = generateSecret({ length: codeLength })
    return (text.match(/.{4}/g) ?? []).join('-')
  })
}

/** What is stored in place of a code. Case, blanks and hyphens make no difference. */
export function hashRecoveryCode(code: string): Buffer {
  const text = code.replace(/[\s-]/g, '').toUpperCase()
  return createHash('sha256').update(text).digest()
}

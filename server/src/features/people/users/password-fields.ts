import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { invalid } from '../../../http/errors.ts'
import { normalEmail } from './emails.ts'

/**
 * Rules for new passwords after NIST SP 800-63B-4, 3.1.1.2, and OWASP ASVS 5.0, 6.2.4 and 6.2.11:
 * they refuse the first guesses of an attacker. There is no list of breached passwords (6.2.12),
 * and there are no rules of composition.
 */

/** In lower case. The file names its source. */
const commonPasswords: ReadonlySet<string> = new Set(
  readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#')),
)

/** Words of this service, its networks and its field, and common stand-ins for a password. */
const ownWords: ReadonlySet<string> = new Set(
  `
  lora lorawan loraconsole lora-console lorafleet lora-fleet lorafleetconsole lora-fleet-console
  fleet fleetconsole fleet-console console device devices gateway gateways sensor sensors uplink
  downlink network networkkey provider organization member members owner account
  chirpstack thethings thethingsstack thethingsnetwork thethingsindustries loriot aws awsiot
  awsiotcore amazon actility thingpark kerlink wanesy everynet machineq comcast senet netmore
  admin administrator root superuser user username guest demo test testing login system server
  service company default change changeme changeit welcome letmein secret topsecret temp temporary
  pass password passwd passwort passphrase p@ssword p@ssw0rd passw0rd pa55word pa55w0rd qwerty qwertz
  azerty
  `
    .trim()
    .split(/\s+/),
)

const sequences = [
  '0123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
].flatMap((row) => [row.repeat(6), [...row.repeat(6)].reverse().join('')])

/** Up to this many digits and signs around a refused word do not make it a password. */
const decoration = 4

/** The fault of a new password for any user; undefined when it has none. */
function findPasswordFault(password: string): string | undefined {
  const lower = password.toLowerCase()
  if (commonPasswords.has(lower)) return 'The password is too common.'
  // A piece of up to four characters, repeated: `aaaaaaaa`, `12121212`.
  if (/^(.{1,4}?)\1+$/su.test(lower)) return 'The password may not be one piece repeated.'
  if (sequences.some((row) => row.includes(lower))) return 'The password may not be a sequence.'
  if (coresOf(lower).some((core) => ownWords.has(core))) return 'The password is too common.'
  return undefined
}

/** Whether the password is the e-mail address, or the part of it before the `@`. */
function isOwnEmail(password: string, email: string): boolean {
  const address = normalEmail(email)
  const names = [address, address.slice(0, address.lastIndexOf('@'))]
  const given = normalEmail(password)
  return [given, ...coresOf(given)].some((core) => names.includes(core))
}

/** The password as it is, and without a few digits and signs at its ends. */
function coresOf(password: string): string[] {
  const [, before = '', core = '', after = ''] = /^(\P{L}*)(.*?)(\P{L}*)$/su.exec(password) ?? []
  return before.length + after.length <= decoration ? [password, core] : [password]
}

const shortest = 8
const longest = 1024
const ownEmail = 'The password may not be the e-mail address or its first part.'

/** A password to check, exactly as received: not trimmed, not cut. */
export const givenPassword = passwordField('The password field is required.')

/** The password of the signed-in user, asked for once more. */
export const currentPassword = passwordField('Please enter your current password to continue.')

/** A new password, checked by `password-rules.ts`. */
export const newPassword = givenPassword
  .min(shortest, { error: `The password must be at least ${shortest} characters.`, abort: true })
  .superRefine((password, context) => {
    const fault = findPasswordFault(password)
    if (fault) context.addIssue(fault)
  })

/** Refuses a password that equals the e-mail address given with it. */
export function withOwnEmailRefused<
  T extends z.ZodType<{ email: string; password?: string | null | undefined }>,
>(schema: T): T {
  return schema.refine(({ email, password }) => !password || !isOwnEmail(password, email), {
    path: ['password'],
    error: ownEmail,
  })
}

/** @throws HttpError 422 when the new password is the user's e-mail address. */
export function refuseOwnEmail(password: string, email: string): void {
  if (isOwnEmail(password, email)) throw invalid({ password: [ownEmail] })
}

/** The fault of a new password for the user with this e-mail; undefined when it has none. */
export function findFaultOf(password: string, email: string): string | undefined {
  const fault = newPassword.safeParse(password).error?.issues[0]?.message
  return fault ?? (isOwnEmail(password, email) ? ownEmail : undefined)
}

function passwordField(required: string) {
  return z
    .string({
      error: ({ input }) =>
        input === undefined || input === null ? required : 'The password must be a string.',
    })
    .min(1, { error: required, abort: true })
    .max(longest, {
      error: `The password may not be greater than ${longest} characters.`,
      abort: true,
    })
}

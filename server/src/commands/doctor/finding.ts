import type { SecretKeySource } from '../../db/secret-keys.ts'
import type { MailSettings } from '../../features/people/auth/mail-settings.ts'
import type { Source } from '../open-database.ts'

/** `skipped`: it could not be looked at, or there is nothing to look at; `says` has the reason. */
export type Verdict = 'ok' | 'warning' | 'problem' | 'skipped'

/** What one check has found. */
export interface Finding {
  /** `disk.space`: the area and the check, the same in every version. */
  check: string
  status: Verdict
  says: string
  /** What to do, in one sentence. */
  advice?: string
}

/** The settings that are looked at. */
export interface DoctorSettings extends SecretKeySource, Source {
  host: string
  port: number
  publicUrl: string
  trustedProxies: readonly string[]
  outbound: { allowsLocal: boolean; listed: readonly string[] }
  mail: MailSettings | undefined
  workers: number
}

export function ok(check: string, says: string): Finding {
  return { check, status: 'ok', says }
}

export function skipped(check: string, says: string): Finding {
  return { check, status: 'skipped', says }
}

export function warning(check: string, says: string, advice: string): Finding {
  return { check, status: 'warning', says, advice }
}

export function problem(check: string, says: string, advice: string): Finding {
  return { check, status: 'problem', says, advice }
}

/** The first sentence of an error, without the stack and without what was sent. */
export function reasonOf(error: unknown): string {
  const { code, message, cause }: Partial<Error & { code: string }> = Object(error)
  if (message === 'fetch failed' && cause) return reasonOf(cause)
  const words = (message || code || String(error)).split('\n', 1)[0] ?? ''
  return words.replace(/\.$/, '').slice(0, 300)
}

/** "3 GB": decimal, as disks are sold. */
export function sizeOf(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let rest = bytes
  let unit = 0
  while (rest >= 1000 && unit < units.length - 1) {
    rest /= 1000
    unit += 1
  }
  return `${rest < 10 && unit > 0 ? rest.toFixed(1) : Math.round(rest)} ${units[unit]}`
}

import { t } from '../../../languages/text.ts'
import type { NamedDevice } from './start-job.ts'

/** What stands for a part of a new name. */
export const placeholders = [
  ['{name}', t('the name so far')],
  ['{n}', t('the number in the list: 1, 2, 3')],
  ['{nnn}', t('the same with leading zeros: 001')],
  ['{eui}', t('the DevEUI')],
  ['{eui4}', t('its last four digits')],
] as const

export const longestName = 255

export interface Renaming {
  pattern: string
  /** Is replaced in the name so far; nothing when it is empty. */
  find: string
  replacement: string
}

/** The new name of the device at `index` of those that are renamed. */
export function renamed(
  { eui, name }: Pick<NamedDevice, 'eui' | 'name'>,
  index: number,
  renaming: Renaming,
): string {
  const { pattern, find, replacement } = renaming
  const kept = find === '' ? name : name.replaceAll(find, replacement)
  const written = pattern.replace(/\{(name|n+|eui|eui4)\}/g, (_, word: string) => {
    if (word === 'name') return kept
    if (word === 'eui') return eui
    if (word === 'eui4') return eui.slice(-4)
    return String(index + 1).padStart(word.length, '0')
  })
  return written.trim()
}

/** Why a new name cannot be; undefined when it can. */
export function faultOf(name: string): string | undefined {
  if (name === '') return t('At least one device would have no name.')
  if (name.length > longestName) {
    return t('At least one device would be longer than {longest} characters.', {
      longest: longestName,
    })
  }
  return undefined
}

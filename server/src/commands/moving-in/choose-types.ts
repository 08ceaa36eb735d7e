import { readFileSync } from 'node:fs'
import { WrongUse } from '../command.ts'
import type { KnownType } from './known-fleet.ts'

/** Which device type of the service a profile of the source becomes. */
export interface TypeChoice {
  /** By the profile's name in lower case: an id or a name. */
  byProfile: ReadonlyMap<string, string>
  /** For all other profiles. */
  fallback: string | undefined
}

/**
 * Reads `--type TYPE` and `--type PROFILE=TYPE`, and the file of `--types`: one JSON object with a
 * type for each profile.
 * @throws WrongUse
 */
export function readTypeChoice(words: readonly string[], file: string | undefined): TypeChoice {
  const byProfile = new Map<string, string>(file === undefined ? [] : readTypesFile(file))
  let fallback: string | undefined
  for (const word of words) {
    const at = word.lastIndexOf('=')
    if (at < 0) fallback = word
    else byProfile.set(toKey(word.slice(0, at)), word.slice(at + 1).trim())
  }
  return { byProfile, fallback }
}

function readTypesFile(path: string): [string, string][] {
  const fault = `--types ${path} must be a file with one JSON object, such as {"Door profile": 16}.`
  try {
    const read: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof read !== 'object' || read === null || Array.isArray(read)) throw new WrongUse(fault)
    return Object.entries(read).map(([profile, type]) => [toKey(profile), String(type)])
  } catch (error) {
    throw error instanceof WrongUse ? error : new WrongUse(fault)
  }
}

function toKey(profile: string): string {
  return profile.trim().toLowerCase()
}

/** The id of a type that is given by its id or one of its names; undefined for an unknown one. */
export function findType(types: readonly KnownType[], word: string): number | undefined {
  const wanted = word.trim()
  if (/^\d{1,9}$/.test(wanted)) return types.find(({ id }) => id === Number(wanted))?.id
  return types.find(({ name }) => name.toLowerCase() === wanted.toLowerCase())?.id
}

/**
 * The type of a device with this profile, which may itself be the name of a type, or the words that
 * say what is missing.
 */
export function chooseType(
  { byProfile, fallback }: TypeChoice,
  types: readonly KnownType[],
  profile: string | undefined,
): { id: number } | { fault: string } {
  const named = byProfile.get(toKey(profile ?? ''))
  const ownId = named === undefined && profile !== undefined ? findType(types, profile) : undefined
  if (ownId !== undefined) return { id: ownId }
  const word = named ?? fallback
  const id = word === undefined ? undefined : findType(types, word)
  if (id !== undefined) return { id }
  if (word !== undefined) return { fault: `There is no device type "${word}".` }
  if (profile === undefined) return { fault: 'No device type is given: --type TYPE names one.' }
  return { fault: `No device type is given for "${profile}": --type "${profile}=TYPE" names one.` }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { areaOf, areas } from '../../src/languages/areas.ts'
import { findTexts } from './find-texts.ts'
import { readServiceTexts } from './service-texts.ts'

export const sourceFolder = join(import.meta.dirname, '../../src')
export const catalogueFolder = join(sourceFolder, 'languages')

/** The texts of an area in English, each with the places where it stands. */
export type AreaTexts = Map<string, string[]>

/** What the service says, and not the console. */
export const serviceAreas = ['sensors', 'reasons'] as const

/** All texts of the console by area. A text of `base` is in no other area. */
export function readSourceTexts(): Map<string, AreaTexts> {
  const found = new Map<string, AreaTexts>(areas.map((area) => [area, new Map()]))
  for (const path of sourceFiles()) {
    const area = areaOf(path)
    const texts = found.get(area)
    if (!texts) throw new Error(`${path}: src/languages/areas.ts has no area "${area}".`)
    for (const { text, role } of findTexts(readFileSync(join(sourceFolder, path), 'utf8'), path)) {
      const places = texts.get(text) ?? []
      const place = role === '' ? path : `${role} in ${path}`
      if (!places.includes(place)) texts.set(text, [...places, place])
    }
  }
  const [base, shared, ...others] = areas.map((area) => found.get(area) ?? new Map())
  for (const texts of [shared, ...others])
    for (const text of texts?.keys() ?? []) {
      if (base?.has(text) || (texts !== shared && shared?.has(text))) texts?.delete(text)
    }
  // "Open" of a door is not "Open" of a button.
  for (const area of serviceAreas) found.set(area, readServiceTexts()[area])
  return found
}

export function sourceFiles(): string[] {
  const isSource = (path: string) =>
    /\.tsx?$/.test(path) && !path.endsWith('generated.ts') && path !== 'languages/text.ts'
  return readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter(isSource)
    .sort()
}

export function readCatalogue(language: string, area: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(join(catalogueFolder, language, `${area}.json`), 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw error
  }
}

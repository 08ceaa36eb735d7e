import type { Language } from '../../../server/src/lora/languages.ts'
import { addTexts, type Message, usedLanguage } from './text.ts'

type Texts = Record<string, Message>

interface Catalogue {
  base: unknown
  areas: Record<string, () => Promise<unknown>>
}

const catalogues: Record<Exclude<Language, 'en'>, () => Promise<Catalogue>> = {
  de: () => import('./de/index.ts'),
  fr: () => import('./fr/index.ts'),
  es: () => import('./es/index.ts'),
  pt: () => import('./pt/index.ts'),
  it: () => import('./it/index.ts'),
  nl: () => import('./nl/index.ts'),
  pl: () => import('./pl/index.ts'),
  ja: () => import('./ja/index.ts'),
  zh: () => import('./zh/index.ts'),
}

const loads = new Map<string, Promise<void>>()

/** Loads the texts of an area. What cannot be loaded stays English, and is asked for again. */
export function loadTexts(area: string): Promise<void> {
  const begun = loads.get(area) ?? read(area).catch(() => void loads.delete(area))
  loads.set(area, begun)
  return begun
}

async function read(area: string): Promise<void> {
  const texts = await readArea(area)
  if (texts) addTexts(texts as Texts)
}

/** An area as the build has compiled it (scripts/texts/compile-texts.ts); undefined in English. */
export async function readArea(area: string): Promise<unknown> {
  const language = usedLanguage()
  if (language === 'en') return undefined
  const { base, areas } = await catalogues[language]()
  return area === 'base' ? base : areas[`./${area}.json`]?.()
}

/**
 * Loads code after the texts of its area, and those that pages share, which `base` needs none of: texts
 * outside of functions are read when code is loaded.
 */
export function withTexts<Module>(
  area: string,
  load: () => Promise<Module>,
): () => Promise<Module> {
  return async () => {
    await Promise.all([area === 'base' ? undefined : loadTexts('shared'), loadTexts(area)])
    return load()
  }
}

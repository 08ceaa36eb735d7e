import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { IntlMessageFormat } from 'intl-messageformat'
import { type Formats, numberLocales } from '../lora/formats.ts'
import type { Language } from '../lora/languages.ts'

/*
 * What mails, messages and reports say, in the language of their reader. Texts stand in English in the
 * code, as ICU messages; `de.json` and so on have their translations. Answers of the API stay English.
 */

export type TextValues = Record<string, string | number>

/** Writes a text in one language; `#` and `{count, number}` are written as its reader reads numbers. */
export type Say = (text: string, values?: TextValues) => string

/** Marks a text that is written elsewhere, so that the test of the catalogues finds it. */
export function text<const T extends string>(marked: T): T {
  return marked
}

type Reading = Pick<Formats, 'language' | 'numbers'>

/** For a reader without a language: English. */
export function sayIn({ language, numbers }: Reading): Say {
  const chosen = language ?? 'en'
  return (english, values = {}) => {
    const format = formatOf(chosen, numbers, english)
    return String(format.format(values))
  }
}

/** Compiled texts: as many as there are in the code, for each language and way to write numbers. */
const formats = new Map<string, IntlMessageFormat>()
const catalogues = new Map<Language, Record<string, string>>()

function formatOf(
  language: Language,
  numbers: Formats['numbers'],
  english: string,
): IntlMessageFormat {
  const key = `${language} ${numbers} ${english}`
  const kept = formats.get(key)
  if (kept) return kept
  const translated = catalogueOf(language)[english] ?? english
  const format = new IntlMessageFormat(translated, language, undefined, {
    formatters: {
      getNumberFormat: () => new Intl.NumberFormat(numberLocales[numbers]),
      getDateTimeFormat: (locale, options) => new Intl.DateTimeFormat(locale, options),
      getPluralRules: (locale, options) => new Intl.PluralRules(locale, options),
    },
  })
  formats.set(key, format)
  return format
}

/** Read when somebody first reads in it. */
function catalogueOf(language: Language): Record<string, string> {
  if (language === 'en') return {}
  const kept = catalogues.get(language)
  if (kept) return kept
  const path = join(import.meta.dirname, `${language}.json`)
  const catalogue = JSON.parse(readFileSync(path, 'utf8')) as Record<string, string>
  catalogues.set(language, catalogue)
  return catalogue
}

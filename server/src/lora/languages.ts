/**
 * The languages of the console, mails and reports, as BCP 47 tags without a region. What the API answers
 * stays English.
 */
export const languages = ['en', 'de', 'fr', 'es', 'pt', 'it', 'nl', 'pl', 'ja', 'zh'] as const

export type Language = (typeof languages)[number]

/** Each by its own name, as a person finds it in a list of any language. */
export const languageNames: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  ja: '日本語',
  zh: '简体中文',
}

/** The first of a browser's languages ("pt-BR") that there is; undefined if there is none. */
export function findLanguage(wanted: readonly string[]): Language | undefined {
  for (const tag of wanted) {
    const [name] = tag.trim().toLowerCase().split('-')
    const found = languages.find((language) => language === name)
    if (found) return found
  }
  return undefined
}

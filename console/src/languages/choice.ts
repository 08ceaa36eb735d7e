import { findLanguage, type Language, languages } from '../../../server/src/lora/languages.ts'
import { usedLanguage } from './text.ts'

/** What was chosen in this browser before a login. */
const chosenKey = 'language'
/** What the user had last time: pages begin in it, before the session is known. */
const usersKey = 'language_of_user'

function stored(key: string): Language | undefined {
  const value = localStorage.getItem(key)
  return languages.find((language) => language === value)
}

/** What this browser wants, whoever is logged in. */
export function browserLanguage(): Language {
  return stored(chosenKey) ?? findLanguage(navigator.languages) ?? 'en'
}

export function firstLanguage(): Language {
  return stored(usersKey) ?? browserLanguage()
}

/** Chooses a language before a login. */
export function chooseLanguage(language: Language): void {
  localStorage.setItem(chosenKey, language)
  localStorage.removeItem(usersKey)
  location.reload()
}

/** Goes over to the language of the user, once it is known. */
export function followLanguage(language: Language | null): void {
  const wanted = language ?? browserLanguage()
  if (wanted === firstLanguage() && wanted === usedLanguage()) return
  localStorage.setItem(usersKey, wanted)
  if (wanted !== usedLanguage()) location.reload()
}

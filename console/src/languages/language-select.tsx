import { NativeSelect } from '@mantine/core'
import { type Language, languageNames } from '../../../server/src/lora/languages.ts'
import { chooseLanguage } from './choice.ts'
import { t, usedLanguage } from './text.ts'

const choices = Object.entries(languageNames).map(([value, label]) => ({ value, label }))

/** Chooses the language of this browser, where nobody is logged in. */
export function LanguageSelect() {
  return (
    <NativeSelect
      aria-label={t('Language')}
      size="xs"
      data={choices}
      value={usedLanguage()}
      onChange={(event) => chooseLanguage(event.currentTarget.value as Language)}
    />
  )
}

import { IntlMessageFormat } from 'intl-messageformat'
import { createElement, Fragment, type ReactNode } from 'react'
import type { Language } from '../../../server/src/lora/languages.ts'
import { formatNumber } from '../ui/formats.ts'
import { hasParts, keyOf } from './key.ts'

/*
 * Every text that people read is written here in English, and shown in their language. A page keeps its
 * language while it is open, so that texts may also stand outside of functions.
 */

type Compiled = Exclude<ConstructorParameters<typeof IntlMessageFormat>[0], string>

/** A text as it is written, or as the build compiled one that has parts (scripts/texts/). */
export type Message = string | Compiled

/** What stands for `{name}`: what is counted is a number, and is written as the user reads numbers. */
export type Values = Record<string, string | number | boolean | null | undefined>

/** What stands for `{name}`, and what `<name>...</name>` becomes. */
export type RichValues = Record<string, ReactNode | ((content: ReactNode) => ReactNode)>

let language: Language = 'en'
const catalogue = new Map<string, Message>()
const formats = new Map<string, IntlMessageFormat>()

/** The language of this page. */
export function usedLanguage(): Language {
  return language
}

export function setLanguage(chosen: Language): void {
  language = chosen
}

/** Adds translations by their keys (key.ts). */
export function addTexts(texts: Record<string, Message>): void {
  for (const [key, text] of Object.entries(texts)) catalogue.set(key, text)
}

/**
 * A text in the user's language: `t('Delete {name}?', { name })`, or with plurals of ICU
 * `t('{count, plural, one {# device} other {# devices}}', { count })`. The English text must stand here,
 * since it is found in the source.
 */
export function t(message: string, values?: Values): string
export function t(message: Message, values: Values = {}, key = ''): string {
  const format = formatOf(message, key)
  return typeof format === 'string' ? format : String(format.format(values))
}

/** A text with elements in it: `rich('Read <link>the guide</link>.', { link: (text) => <a>{text}</a> })`. */
export function rich(message: string, values: RichValues): ReactNode
export function rich(message: Message, values: RichValues, key = ''): ReactNode {
  const format = formatOf(message, key)
  if (typeof format === 'string') return format
  const content = format.format<ReactNode>(values as never)
  return inOne(content)
}

function inOne(content: ReactNode): ReactNode {
  return Array.isArray(content) ? createElement(Fragment, null, ...content) : content
}

/** A text without parts. */
function withoutParts(text: string): string {
  const found = language === 'en' ? undefined : catalogue.get(keyOf(text))
  return typeof found === 'string' ? found : text
}

function formatOf(message: Message, compiledKey: string): IntlMessageFormat | string {
  if (typeof message === 'string' && !hasParts(message)) {
    return withoutParts(message)
  }
  const key = compiledKey || (typeof message === 'string' ? keyOf(message) : '')
  const made = formats.get(key)
  if (made) return made
  const translated = catalogue.get(key)
  const format = new IntlMessageFormat(
    translated ?? message,
    translated === undefined ? 'en' : language,
    undefined,
    { formatters },
  )
  formats.set(key, format)
  return format
}

/** Counts are written as the user reads numbers, whatever the language. */
const numberFormat = { format: (value: number) => formatNumber(value) } as Intl.NumberFormat
const formatters = {
  getNumberFormat: () => numberFormat,
  getDateTimeFormat: (...given: ConstructorParameters<typeof Intl.DateTimeFormat>) =>
    new Intl.DateTimeFormat(...given),
  getPluralRules: (...given: ConstructorParameters<typeof Intl.PluralRules>) =>
    new Intl.PluralRules(...given),
}

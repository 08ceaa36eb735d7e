import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { IntlMessageFormat } from 'intl-messageformat'
import { usualFormats } from '../lora/formats.ts'
import { type Language, languages } from '../lora/languages.ts'
import { sayIn } from './texts.ts'

const root = join(import.meta.dirname, '..')

/** Every text that the code writes or marks, as it stands there. */
function textsOfCode(): Set<string> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.startsWith('texts'),
  )
  const found = files.flatMap((path) => {
    const source = readFileSync(join(root, path), 'utf8')
    if (!source.includes('texts/texts.ts')) return []
    const calls = source.matchAll(/\b(?:say|text|sayIn\([\w.]+\))\(\s*'((?:[^'\\]|\\.)*)'/g)
    return [...calls].map(([, text = '']) => text.replaceAll('\\n', '\n'))
  })
  return new Set(found)
}

const texts = textsOfCode()

type Part = { type: number; value?: string; options?: Record<string, { value: Part[] }> }

/** The names in a text, and the kinds of its plurals. */
function partsOf(message: string, language: Language) {
  const names = new Set<string>()
  const plurals: string[][] = []
  const visit = (parts: Part[]) => {
    for (const { type, value, options } of parts) {
      if (type >= 1 && type <= 6 && value) names.add(value)
      if (options) plurals.push(Object.keys(options))
      for (const option of Object.values(options ?? {})) visit(option.value)
    }
  }
  visit(new IntlMessageFormat(message, language).getAst() as Part[])
  return { names: [...names].sort(), plurals }
}

for (const language of languages.filter((each) => each !== 'en')) {
  const catalogue = JSON.parse(
    readFileSync(join(import.meta.dirname, `${language}.json`), 'utf8'),
  ) as Record<string, string>

  test(`${language} has each text once, and no other`, () => {
    assert.ok(texts.size > 50)
    assert.deepEqual(Object.keys(catalogue).sort(), [...texts].sort())
  })

  test(`${language} has the values of each text, and the plurals of the language`, () => {
    // English has fewer forms than Polish, and more than Japanese. Fractions are never counted here.
    const forms = new Set([1, 2, 3, 5, 12, 22, 100].map((count) => rules.select(count)))
    for (const [english, translated] of Object.entries(catalogue)) {
      assert.ok(translated.trim() !== '', english)
      const { names, plurals } = partsOf(translated, language)
      assert.deepEqual(names, partsOf(english, 'en').names, translated)
      for (const options of plurals) {
        for (const form of [...forms, 'other']) assert.ok(options.includes(form), translated)
      }
    }
  })
  const rules = new Intl.PluralRules(language)
}

test('a text is in the language of its reader, with numbers as they read them', () => {
  const count = '{count, plural, one {# device} other {# devices}}'
  const write = (language: Language | null, numbers = usualFormats.numbers) =>
    sayIn({ language, numbers })(count, { count: 12_000 })
  assert.equal(write(null), '12,000 devices')
  assert.equal(write('de', 'point_comma'), '12.000 Geräte')
  assert.equal(write('pl', 'comma_point'), '12,000 urządzeń')
})

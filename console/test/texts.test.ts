import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { languages } from '../../server/src/lora/languages.ts'
import { readCatalogue, readSourceTexts } from '../scripts/texts/source-texts.ts'

/** The catalogues of the console's texts: `npm run texts` writes them, and people translate them. */

const source = readSourceTexts()

/** The values and elements of a text, and the forms of each of its plurals and choices. */
function partsOf(message: string) {
  const names = new Set<string>()
  const plurals: string[][] = []
  const choices = new Set<string>()
  const visit = (parts: ReturnType<typeof parse>) => {
    for (const part of parts) {
      if (part.type === TYPE.literal || part.type === TYPE.pound) continue
      names.add(part.type === TYPE.tag ? `<${part.value}>` : part.value)
      if (part.type === TYPE.tag) visit(part.children)
      if (part.type !== TYPE.plural && part.type !== TYPE.select) continue
      const forms = Object.keys(part.options)
      if (part.type === TYPE.plural) plurals.push(forms)
      else choices.add(`${part.value}: ${forms.sort().join()}`)
      for (const { value } of Object.values(part.options)) visit(value)
    }
  }
  visit(parse(message))
  return { names: [...names].sort(), choices: [...choices].sort(), plurals }
}

for (const language of languages) {
  test(`${language} has each text of the source once, and no other`, () => {
    for (const [area, texts] of source) {
      const known = Object.keys(readCatalogue(language, area)).sort()
      assert.deepEqual(known, [...texts.keys()].sort(), `${area}: run npm run texts`)
    }
  })
}

test('what the service says of sensors is in each language', () => {
  for (const language of languages.filter((each) => each !== 'en')) {
    const words = Object.entries(readCatalogue(language, 'sensors'))
    const missing = words.filter(([, translated]) => translated === '').map(([english]) => english)
    assert.deepEqual(missing, [], `${language}/sensors.json`)
  }
})

for (const language of languages.filter((each) => each !== 'en')) {
  const rules = new Intl.PluralRules(language)
  const forms = new Set([1, 2, 3, 5, 12, 22, 100].map((count) => rules.select(count)))

  test(`${language} has the values of each text, and the plurals of the language`, () => {
    for (const area of source.keys()) {
      for (const [english, translated] of Object.entries(readCatalogue(language, area))) {
        if (translated === '') continue
        const { plurals, ...found } = partsOf(translated)
        const { plurals: _, ...expected } = partsOf(english)
        // A language may say a sentence of the service without what is filled in, never with more.
        const isService = area === 'reasons' || area === 'sensors'
        if (isService) expected.names = expected.names.filter((name) => found.names.includes(name))
        assert.deepEqual(found, expected, `${english}: ${translated}`)
        for (const options of plurals) {
          for (const form of [...forms, 'other']) assert.ok(options.includes(form), translated)
        }
      }
    }
  })
}

import { parse } from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'vite'
import { hasParts, keyOf } from '../../src/languages/key.ts'
import { findTexts } from './find-texts.ts'

/**
 * Compiles texts that have parts, in the source and in catalogues, so that browsers need no parser, and
 * names the texts of catalogues by short keys.
 */
export function compileTexts(): Plugin {
  return {
    name: 'compile-texts',
    config: () => ({
      resolve: {
        alias: {
          '@formatjs/icu-messageformat-parser': '@formatjs/icu-messageformat-parser/no-parser.js',
        },
      },
    }),
    load: {
      filter: { id: /src\/languages\/[a-z]{2}\/[a-z-]+\.json$/ },
      async handler(id) {
        const json = await this.fs.readFile(id, { encoding: 'utf8' })
        return /(sensors|reasons)\.json$/.test(id) ? compileWords(json) : compileCatalogue(json)
      },
    },
    transform: {
      filter: { id: /console\/src\/.*\.tsx?$/, code: /\b(?:t|rich)\(/ },
      handler: (code, id) => ({ code: compileSource(code, id), map: null }),
    },
  }
}

/** `{"Devices":"Geräte"}` becomes `{"1x2y3z":"Geräte"}`. What is not translated is left out. */
export function compileCatalogue(json: string): string {
  const texts = Object.entries(JSON.parse(json) as Record<string, string>)
  const translated = texts.filter(([, text]) => text !== '')
  return JSON.stringify(
    Object.fromEntries(
      translated.map(([english, text]) => [keyOf(english), hasParts(english) ? parse(text) : text]),
    ),
  )
}

/** The words of the service keep their English, which is looked for in what it says. */
function compileWords(json: string): string {
  const texts = Object.entries(JSON.parse(json) as Record<string, string>)
  return JSON.stringify(Object.fromEntries(texts.filter(([, text]) => text !== '')))
}

function compileSource(code: string, id: string): string {
  const withParts = findTexts(code, id.replace(/\.tsx?$/, '.js')).filter(
    ({ text, arguments: count }) => hasParts(text) && count <= 2,
  )
  // Calls stand in each other: the last change comes first, so that the places before it hold.
  const changes = withParts.flatMap(({ text, start, end, callEnd, arguments: count }) => [
    { start, end, by: JSON.stringify(parse(text)) },
    {
      ...{ start: callEnd - 1, end: callEnd - 1 },
      by: `${/,\s*$/.test(code.slice(0, callEnd - 1)) ? '' : ','}${count === 1 ? ' {},' : ''} '${keyOf(text)}'`,
    },
  ])
  return changes
    .sort((one, other) => other.start - one.start)
    .reduce((done, { start, end, by }) => done.slice(0, start) + by + done.slice(end), code)
}

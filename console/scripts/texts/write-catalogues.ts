import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '../../../server/src/lora/languages.ts'
import { catalogueFolder, readCatalogue, readSourceTexts, serviceAreas } from './source-texts.ts'

/**
 * Brings the catalogues up to date with the source (CONTRIBUTING.md, "Texts"): new texts are added without a
 * translation, and those that are gone are left out. `en` says where each text stands.
 */

const write = (language: string, area: string, texts: Record<string, string>) =>
  writeFileSync(
    join(catalogueFolder, language, `${area}.json`),
    `${JSON.stringify(texts, undefined, 2)}\n`,
  )

const isOfService = (area: string) => serviceAreas.some((one) => one === area)

// A text that moves to another area keeps its translation.
const former = new Map(
  languages.map((language) => {
    const all = [...readSourceTexts().keys()].map((area) => readCatalogue(language, area))
    return [language, Object.assign({}, ...all.reverse()) as Record<string, string>]
  }),
)

for (const [area, found] of readSourceTexts()) {
  const sorted = [...found].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const language of languages) {
    const textOf = (text: string, places: string[]) => {
      if (language === 'en') return places.slice(0, 3).join('; ')
      return isOfService(area) ? '' : (former.get(language)?.[text] ?? '')
    }
    const here = readCatalogue(language, area)
    write(
      language,
      area,
      Object.fromEntries(
        sorted.map(([text, places]) => [
          text,
          language === 'en' ? textOf(text, places) : here[text] || textOf(text, places),
        ]),
      ),
    )
  }
}

import {
  deviceColumns,
  guessColumns,
  isTagColumn,
  type Mapping,
  plainHeader,
} from '../../../../../server/src/lora/device-file/columns.ts'

function rememberedKey(headers: readonly string[]): string {
  return `import ${headers.map(plainHeader).join(' ')}`
}

/** The mapping that was last used for a file with these headers. */
export function readMapping(headers: readonly string[]): Mapping {
  const guessed = guessColumns(headers, deviceColumns)
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(rememberedKey(headers)) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return guessed
    const tags = Object.keys(stored).filter(isTagColumn)
    const known = [...deviceColumns.map(({ name }) => name), ...tags].flatMap((name) => {
      const column = (stored as Record<string, unknown>)[name]
      const isColumn = typeof column === 'number' && column >= 0 && column < headers.length
      return isColumn ? [[name, column]] : []
    })
    return Object.fromEntries(known) as Mapping
  } catch {
    return guessed
  }
}

export function rememberMapping(headers: readonly string[], mapping: Mapping): void {
  localStorage.setItem(rememberedKey(headers), JSON.stringify(mapping))
}

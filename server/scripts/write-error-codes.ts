/**
 * `npm run error-codes` writes `docs/generated/error-codes.md`, the code of each message. It refuses
 * when a code of the page is gone, since clients may depend on it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodes, generalCodes } from '../src/http/error-codes.ts'

/** The page as it should be; a test compares it with the file. */
export function writeErrorCodes(): string {
  const rows = Object.entries(errorCodes).map(
    ([code, templates]) => `| \`${code}\` | ${templates.map(withoutKinds).join('<br>')} |`,
  )
  const general = generalCodes.map((code) => `\`${code}\``).join(', ')
  return `# Codes of messages

Made by \`npm run error-codes\` from \`server/src/http/error-codes.ts\`. A code never changes its meaning and is
never taken away; messages are English, and how they are used is in [The API](../api.md#errors).

| code | messages |
|---|---|
${rows.join('\n')}

Every other message is about one thing only, and has a code of its status: ${general}.
`
}

function withoutKinds(template: string): string {
  return template.replaceAll(':n}', '}').replaceAll('|', '\\|')
}

/** The codes of a page that the other one does not have. */
export function findLostCodes(before: string, after: string): string[] {
  const codesOf = (page: string) => new Set<string>(page.match(/`[a-z0-9_]+`/g))
  return [...codesOf(before).difference(codesOf(after))]
}

if (import.meta.main) {
  const path = join(import.meta.dirname, '../../docs/generated/error-codes.md')
  const page = writeErrorCodes()
  const lost = findLostCodes(readFileSync(path, 'utf8'), page)
  if (lost.length > 0) {
    console.error(`Clients may depend on these codes, which are gone: ${lost.join(', ')}`)
    process.exit(1)
  }
  writeFileSync(path, page)
}

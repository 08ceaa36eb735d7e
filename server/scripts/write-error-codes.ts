/** `npm run error-codes` writes `docs/generated/error-codes.md`, the code of each message. */
import { writeFileSync } from 'node:fs'
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

if (import.meta.main) {
  const path = join(import.meta.dirname, '../../docs/generated/error-codes.md')
  writeFileSync(path, writeErrorCodes())
}

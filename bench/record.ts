import { readFile, writeFile } from 'node:fs/promises'

/** Above this load average, other work took a part of the machine. */
const quietLoad = 0.5

const end = '<!-- end -->'

/**
 * Puts a result into its section of a Markdown file (docs/benchmarks.md), which is named by the
 * command that made it; a new section goes before the last heading, that of others' figures.
 */
export async function recordResult(
  file: string,
  args: readonly string[],
  { text, load }: { text: string; load: number },
): Promise<void> {
  const command = `npm run bench -- ${args.join(' ')}`.trim()
  const begin = `<!-- ${command} -->`
  const state =
    load > quietLoad
      ? `Other work shared the machine: its load was ${load.toFixed(1)} when this began. Ratios, pages and\nbytes hold; times and rates are worse than those of a quiet machine.`
      : 'On a quiet machine.'
  const section = `${begin}\n## \`${command}\`\n\n${state}\n\n${text.trim()}\n\n${end}\n`
  const content = await readFile(file, 'utf8')
  const from = content.indexOf(begin)
  const last = content.lastIndexOf('\n## Published')
  if (from >= 0) {
    const to = content.indexOf(end, from) + end.length + 1
    await writeFile(file, content.slice(0, from) + section + content.slice(to))
  } else {
    const place = last < 0 ? content.length : last + 1
    await writeFile(file, `${content.slice(0, place)}${section}\n${content.slice(place)}`)
  }
}

/** The arguments that say what is measured. Directories and the file say nothing of it. */
export function withoutPlaces(args: readonly string[]): string[] {
  return args
    .filter(
      (arg, place) =>
        !/^--(scratch|record)/.test(arg) && !/^--(scratch|record)$/.test(args[place - 1] ?? ''),
    )
    .map((arg, place, kept) => (kept[place - 1] === '--data' ? 'DIR' : arg))
}

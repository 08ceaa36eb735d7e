import { useQuery } from '@tanstack/react-query'

/** The pages of documentation, each a file of its own that is loaded when it is shown. */
const pages = import.meta.glob<string>('../../../../docs/networks/*.md', {
  query: '?raw',
  import: 'default',
})

/** The page of a network as Markdown; undefined while it is loaded. */
export function useGuideText(name: string) {
  return useQuery({
    queryKey: ['guide', name],
    queryFn: async () => (await pages[`../../../../docs/networks/${name}.md`]?.()) ?? '',
    staleTime: Number.POSITIVE_INFINITY,
    enabled: name !== '',
  })
}

/** What an operator does at the network: the sections about it, without commands. */
export function readSteps(text: string): string {
  return text
    .split(/^(?=## )/m)
    .filter((section) => /^## \d\. (At |The callback)/.test(section))
    .map((section) => section.replace(/^## \d\. /, '## ').replace(commands, ''))
    .join('')
}

/** A block of commands, with the sentence that leads to it. */
const commands = /(?:^[^\n]+\n)*^[^\n]+:\n\n```sh\n.*?^```\n|^```sh\n.*?^```\n/gms

/** What the page says of each field of the account, in its table of them. */
export function readFieldHelp(text: string): Map<string, string> {
  const help = new Map<string, string>()
  const [, table = ''] = text.split(/^\| field \| what \|$/m)
  for (const line of table.split('\n').slice(2)) {
    const [, names, words] = /^\| (.+?) \| (.+) \|$/.exec(line) ?? []
    if (!names || !words) break
    for (const [, name] of names.matchAll(/`(\w+)`/g)) if (name) help.set(name, plain(words))
  }
  return help
}

/** Without the marks of Markdown, beginning with a capital. */
function plain(words: string): string {
  const text = words.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, '')
  return words.startsWith('`') ? text : text.charAt(0).toUpperCase() + text.slice(1)
}

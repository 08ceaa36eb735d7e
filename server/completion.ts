/** What can be typed after `lora-console`, with the options without their dashes. */
interface Completed {
  name: string
  summary: string
  options: readonly string[]
}

const shells = { bash: forBash, zsh: forZsh, fish: forFish }

export const shellNames: readonly string[] = Object.keys(shells)

/** The script that completes the commands in a shell; undefined for an unknown shell. */
export function writeCompletion(shell: string, commands: readonly Completed[]): string | undefined {
  return Object.hasOwn(shells, shell) ? shells[shell as keyof typeof shells](commands) : undefined
}

/** The words that may follow each beginning of a command: nothing, `user`, `user list`. */
function listFollowers(commands: readonly Completed[]): Map<string, string[]> {
  const followers = new Map<string, string[]>([['', ['--help', '--version']]])
  const add = (path: string, word: string) => {
    const words = followers.get(path) ?? []
    if (!words.includes(word)) followers.set(path, [...words, word])
  }
  for (const { name, options } of commands) {
    const words = name.split(' ')
    for (const [at, word] of words.entries()) add(words.slice(0, at).join(' '), word)
    for (const option of [...options, 'help']) add(name, `--${option}`)
  }
  return followers
}

/** Where nothing is known to follow, `-o default` completes files. */
function forBash(commands: readonly Completed[]): string {
  const cases = [...listFollowers(commands)].map(
    ([path, words]) => `    '${path}') words='${words.join(' ')}' ;;`,
  )
  return `_lora_console() {
  local path='' words='' word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case $path in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _lora_console lora-console
`
}

/** Zsh runs the functions of bash. */
function forZsh(commands: readonly Completed[]): string {
  return `#compdef lora-console\nautoload -U +X bashcompinit && bashcompinit\n${forBash(commands)}`
}

function forFish(commands: readonly Completed[]): string {
  const lines = [...listFollowers(commands)].flatMap(([path, words]) =>
    words.map((word) => {
      const condition = path
        ? `__fish_seen_subcommand_from ${path.split(' ').at(-1)}`
        : '__fish_use_subcommand'
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`
      const summary = commands.find(({ name }) => name === word)?.summary
      const told = summary ? ` -d '${summary.replaceAll("'", "\\'")}'` : ''
      return `complete -c lora-console -n '${condition}' ${what}${told}`
    }),
  )
  return `${lines.join('\n')}\n`
}

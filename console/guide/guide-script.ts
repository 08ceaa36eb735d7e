/*
 * The script of every page of the guide: the search, and a button that copies commands. Everything
 * else works without it.
 */

type Entry = [address: string, page: string, heading: string, text: string]

const most = 12
const form = document.querySelector<HTMLFormElement>('form[role=search]')
const field = form?.querySelector('input')
const list = form?.querySelector<HTMLElement>('.results')

followConsole()
if (form && field && list) startSearch(form, field, list)
for (const block of document.querySelectorAll('pre')) addCopyButton(block)

/** The console keeps its choice of light or dark in the browser. */
function followConsole() {
  const scheme = localStorage.getItem('mantine-color-scheme-value')
  if (scheme === 'light' || scheme === 'dark') document.documentElement.style.colorScheme = scheme
}

function startSearch(form: HTMLFormElement, field: HTMLInputElement, list: HTMLElement) {
  const address = new URL(form.dataset.index ?? '', location.href)
  let loading: Promise<Entry[]> | undefined
  const load = () => {
    loading ??= fetch(address).then((answer) => answer.json())
    return loading
  }
  const show = async () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
    const entries = await load()
    list.replaceChildren(...(words.length > 0 ? describe(find(entries, words), address) : []))
    list.hidden = words.length === 0
  }
  form.hidden = false
  field.addEventListener('focus', load)
  field.addEventListener('input', show)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  form.addEventListener('keydown', (event) => moveFocus(event, field, list))
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    field.focus()
  })
}

function moveFocus(event: KeyboardEvent, field: HTMLInputElement, list: HTMLElement) {
  if (event.key === 'Escape') {
    list.hidden = true
    field.value = ''
    field.focus()
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (step === undefined) return
  event.preventDefault()
  const stops = [field, ...list.querySelectorAll('a')]
  const place = stops.indexOf(document.activeElement as HTMLInputElement)
  stops[Math.min(Math.max(place + step, 0), stops.length - 1)]?.focus()
}

/** Sections that have all words, best first: a word in a title counts more than one in the text. */
function find(entries: readonly Entry[], words: readonly string[]): Entry[] {
  const found: { entry: Entry; score: number }[] = []
  for (const entry of entries) {
    const [, page, heading, text] = entry.map((part) => part.toLowerCase())
    let score = 0
    for (const word of words) {
      const worth =
        (heading?.includes(word) ? 6 : 0) +
        (page?.includes(word) ? 4 : 0) +
        (text?.includes(word) ? 1 : 0)
      if (worth === 0) {
        score = 0
        break
      }
      score += worth
    }
    if (score > 0) found.push({ entry, score })
  }
  found.sort((one, other) => other.score - one.score)
  return found.slice(0, most).map(({ entry }) => entry)
}

function describe(entries: readonly Entry[], index: URL): HTMLElement[] {
  if (entries.length === 0) return [element('p', 'Nothing is found.')]
  return entries.map(([address, page, heading, text]) => {
    const link = document.createElement('a')
    link.href = new URL(`../${address}`, index).href
    link.append(element('strong', heading), element('span', page === heading ? '' : page))
    link.append(element('small', text.slice(0, 140)))
    return link
  })
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

function addCopyButton(block: HTMLElement) {
  // Browsers give the clipboard to pages with TLS, and to those of the same machine.
  if (!navigator.clipboard) return
  const button = element('button', 'Copy') as HTMLButtonElement
  button.type = 'button'
  button.className = 'copy'
  const frame = element('div', '')
  frame.className = 'block'
  block.replaceWith(frame)
  frame.append(block, button)
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent ?? '')
    button.textContent = 'Copied'
    setTimeout(() => {
      button.textContent = 'Copy'
    }, 2000)
  })
}

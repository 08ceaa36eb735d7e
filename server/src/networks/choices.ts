import type { Choice } from './network.ts'

/** The most choices of a field: a longer list is not one to choose from. */
const mostChoices = 1000

/** Makes `listChoices` of a network from its lists, each page by page, by the name of the field. */
export function choicesBy<Session>(
  lists: Record<string, (session: Session) => AsyncIterable<Choice[]>>,
): (session: Session, field: string) => Promise<Choice[]> {
  return async (session, field) => {
    // What is listed while it changes may come twice.
    const choices = new Map<string, Choice>()
    for await (const page of lists[field]?.(session) ?? []) {
      for (const choice of page) if (choice.value !== '') choices.set(choice.value, choice)
      if (choices.size >= mostChoices) break
    }
    return [...choices.values()].slice(0, mostChoices)
  }
}

/** The same pages, each item as a choice. */
export async function* mapPages<Item>(
  pages: AsyncIterable<Item[]>,
  toChoice: (item: Item) => Choice,
): AsyncGenerator<Choice[]> {
  for await (const page of pages) yield page.map(toChoice)
}

/** A choice by its id; one without a name is called by the id. */
export function toChoice(value: string, name: unknown): Choice {
  return { value, label: typeof name === 'string' && name !== '' ? name : value }
}

import { useMemo } from 'react'
import { useApi } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { useIsLimited } from '../session/session.ts'
import type { Filter } from '../ui/list/filter-bar.tsx'
import { textsOf } from './tag-text.ts'

/** The tags that devices and gateways have, as texts, and their keys. Nobody limited may ask for them. */
export function useKnownTags(): { texts: string[]; keys: string[] } {
  const isLimited = useIsLimited()
  const { data } = useApi('GET /fleet/tags', {}, { enabled: !isLimited, staleTime: 60_000 })
  return useMemo(() => {
    const known = data?.data ?? []
    const texts = known.flatMap(({ key, value }) => textsOf({ [key]: value }))
    return { texts: [...new Set(texts)], keys: [...new Set(known.map(({ key }) => key))] }
  }, [data])
}

/** Each key, and each key with a value, sorted: what a filter by tag can be. */
export function choicesOf({ texts, keys }: ReturnType<typeof useKnownTags>): string[] {
  return [...new Set([...keys, ...texts])].sort()
}

/** The filter of a list by tags, all of which must hold. Where no tags are known, links may set it. */
export function useTagFilter(): Filter {
  const known = useKnownTags()
  return useMemo(() => {
    const choices = choicesOf(known).map((text) => ({ value: text, label: text }))
    return { name: 'tag', label: t('Tags'), choices, isMany: true, isLinked: choices.length === 0 }
  }, [known])
}

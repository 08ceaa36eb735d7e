import { useEffect, useState } from 'react'
import type { Answer } from '../../api/client.ts'
import { useApi } from '../../api/hooks.ts'
import type { FleetNetwork } from './network-words.ts'

export type AccountField = FleetNetwork['fields'][number]
type Body = Record<string, string>
export type FieldChoices =
  Answer<'POST /network-accounts/{network}/choices'>['data']['fields'][number]

/** Milliseconds: what a network lists seldom changes while a form is filled. */
const fresh = 60_000

interface ChoiceOptions {
  /** What the network is asked with from the beginning: an account that is stored. */
  start: Body | undefined
  /** Enters the only choice of a field. */
  onOnly: (values: Body) => void
}

/** What the network lists for the fields of an account, asked with what is entered so far. */
export function useAccountChoices(network: FleetNetwork, { start, onOnly }: ChoiceOptions) {
  const hasLists = network.fields.some(({ listed }) => listed !== null)
  const [asked, setAsked] = useState(hasLists ? start : undefined)
  /** The last answer that had lists: a later one may be missing for a while. */
  const [known, setKnown] = useState<readonly FieldChoices[]>()
  const { data, error, isFetching, refetch } = useApi(
    'POST /network-accounts/{network}/choices',
    { path: { network: network.key }, body: asked ?? {} },
    { enabled: asked !== undefined, staleTime: fresh },
  )
  const answer = asked !== undefined && !isFetching ? data?.data : undefined
  const checks = answer?.checks ?? []
  useEffect(() => {
    if (asked === undefined || !answer?.checks.every(({ ok }) => ok !== false)) return
    setKnown(answer.fields)
    const only = onlyChoices(network, asked, answer.fields)
    if (Object.keys(only).length === 0) return
    setAsked({ ...asked, ...only })
    onOnly(only)
  }, [asked, answer, network, onOnly])
  return {
    hasLists,
    asked,
    fields: new Map((known ?? []).map((one) => [one.field, one])),
    checks,
    errors: error?.errors ?? {},
    error,
    isAsking: isFetching,
    /** The network has accepted what was entered, whatever it has listed. */
    isAnswered: known !== undefined,
    ask(body: Body) {
      if (JSON.stringify(body) === JSON.stringify(asked)) void refetch()
      else setAsked(body)
    },
  }
}

function onlyChoices(network: FleetNetwork, asked: Body, fields: readonly FieldChoices[]): Body {
  const isNeeded = (name: string) =>
    network.fields.some((field) => field.name === name && field.required)
  const found = fields.flatMap(({ field, choices }) => {
    const [first, ...others] = choices ?? []
    const isOnly = first !== undefined && others.length === 0
    return isOnly && isNeeded(field) && !asked[field] ? [[field, first.value] as const] : []
  })
  return Object.fromEntries(found)
}

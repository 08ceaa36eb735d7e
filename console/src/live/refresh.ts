import type { QueryClient } from '@tanstack/react-query'
import { type ChangeKind, changeKinds, type LiveChange, type LiveUplink } from './events.ts'

/** The operations of the API whose answers show things of a kind. */
const operationsOf: Record<ChangeKind, RegExp> = {
  device: /^GET \/(fleet\/(devices|groups|summary)|devices\b|device-groups|moves)/,
  gateway: /^GET \/(fleet\/(gateways|summary)|gateways\b)/,
  account: /^GET \/(fleet\/(networks|summary)|network-accounts)/,
  downlink:
    /^GET \/(fleet\/(summary|devices|downlinks)|devices\/\{device_id\}.*(configure|downlinks))/,
  job: /^GET \/jobs/,
  alert:
    /^GET \/(alerts|alert-rules|fleet\/(devices|groups|summary))|\/alerts$|^POST \/dashboards\/data/,
  dashboard: /^GET \/dashboards/,
}
/** What uplinks change slowly: counts and states of the whole fleet. */
const operationsOfUplinks = /^GET \/fleet\/(summary|groups)|^POST \/dashboards\/data/

const changeInterval = 1000
const uplinkInterval = 15_000
/** A tenth of the time may be spent on reading again. */
const restFactor = 10

/**
 * Renews what is shown after changes: once a second at most, and less often where reading takes
 * long. What is not shown is only marked as old.
 */
export function createRefresher(client: QueryClient) {
  let waiting = new Set<ChangeKind>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isOver = false
  let uplinkTimer: ReturnType<typeof setTimeout> | undefined

  const renew = (isOld: (operation: string) => boolean) =>
    client.invalidateQueries({ predicate: ({ queryKey: [name] }) => isOld(String(name)) })
  const run = async () => {
    const kinds = waiting
    waiting = new Set()
    isRunning = true
    const began = performance.now()
    await renew((operation) => [...kinds].some((kind) => operationsOf[kind].test(operation)))
    const took = performance.now() - began
    timer = setTimeout(
      () => {
        isRunning = false
        timer = undefined
        if (waiting.size > 0) plan()
      },
      Math.max(0, took * restFactor),
    )
  }
  const plan = () => {
    if (timer !== undefined || isRunning || isOver) return
    timer = setTimeout(() => {
      timer = undefined
      void run()
    }, changeInterval)
  }
  const note = (kinds: readonly ChangeKind[]) => {
    for (const kind of kinds) waiting.add(kind)
    plan()
  }
  return {
    noteChanges: (changes: readonly LiveChange[]) => note(changes.map(({ kind }) => kind)),
    noteUplinks(_uplinks: readonly LiveUplink[]) {
      uplinkTimer ??= setTimeout(() => {
        uplinkTimer = undefined
        void renew((operation) => operationsOfUplinks.test(operation))
      }, uplinkInterval)
    },
    noteAll: () => note(changeKinds),
    end() {
      isOver = true
      clearTimeout(timer)
      clearTimeout(uplinkTimer)
    },
  }
}

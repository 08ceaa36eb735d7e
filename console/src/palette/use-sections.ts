import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { useApi } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { isOfGroup } from '../session/page-access.ts'
import { useIsLimited } from '../session/session.ts'
import { groupNames } from '../ui/group-names.ts'
import { type Entry, isFound, pageEntries, type Section } from './entries.ts'

/** Milliseconds without typing after which the service is asked. */
const pause = 150
const mostFound = 6

interface Found {
  sections: readonly Section[]
  isSearching: boolean
  error: unknown
}

/** What a text finds: known pages and actions at once, and what the service knows a moment later. */
export function useSections(
  text: string,
  actions: readonly Entry[],
  recent: readonly Entry[],
): Found {
  const wanted = text.trim()
  const [asked] = useDebouncedValue(wanted, pause)
  const groups = useApi('GET /fleet/groups', {}, { staleTime: 30_000 })
  const isLimited = useIsLimited()
  const networks = useApi('GET /fleet/networks', {}, { enabled: !isLimited, staleTime: 300_000 })
  const search = digitsOf(asked) ?? asked
  const pages = isLimited
    ? pageEntries.filter(({ target }) => isOfGroup(target?.to ?? ''))
    : pageEntries
  const things = useQuery({
    queryKey: ['palette', search],
    // A newer text cancels the request for the former one.
    queryFn: ({ signal }) => findThings(search, isLimited, signal),
    enabled: asked !== '',
    staleTime: 10_000,
    placeholderData: (before) => before,
  })
  if (wanted === '') {
    const sections = [
      { title: t('Recent'), entries: recent },
      { title: t('Actions'), entries: actions },
      { title: t('Pages'), entries: pages },
    ]
    return { sections: sections.filter(isFilled), isSearching: false, error: undefined }
  }
  const local = (entries: readonly Entry[]) => entries.filter((entry) => isFound(entry, wanted))
  const sections: Section[] = [
    { title: t('Devices'), entries: things.data?.devices ?? [] },
    { title: t('Gateways'), entries: things.data?.gateways ?? [] },
    {
      title: t('Groups'),
      entries: local(groupEntries(groups.data?.data ?? [])).slice(0, mostFound),
    },
    { title: t('Networks'), entries: local((networks.data?.data ?? []).map(networkEntry)) },
    { title: t('Actions'), entries: local(actions) },
    { title: t('Pages'), entries: local(pages) },
  ]
  const isSearching = wanted !== asked || things.isFetching
  return { sections: sections.filter(isFilled), isSearching, error: things.error ?? undefined }
}

function isFilled({ entries }: Section): boolean {
  return entries.length > 0
}

/** The digits of a DevEUI or gateway EUI, however its bytes are separated. */
function digitsOf(text: string): string | undefined {
  const digits = text.replace(/[-:\s]/g, '')
  return /^[0-9a-f]{4,16}$/i.test(digits) && digits !== text ? digits : undefined
}

async function findThings(search: string, isLimited: boolean, signal: AbortSignal) {
  const query = { search, limit: mostFound, sort: 'name' } as const
  const [devices, gateways] = await Promise.all([
    call('GET /fleet/devices', { query }, { signal }),
    isLimited ? { data: [] } : call('GET /fleet/gateways', { query }, { signal }),
  ])
  return {
    devices: devices.data.map(
      ({ device_id: eui, device_name: title }): Entry => ({
        id: `device ${eui}`,
        title,
        detail: eui,
        target: { to: '/devices/$eui', params: { eui } },
      }),
    ),
    gateways: gateways.data.map(
      ({ gateway_eui: eui, name: title, id }): Entry => ({
        id: `gateway ${id}`,
        title,
        detail: eui,
        target: { to: '/gateways/$gatewayId', params: { gatewayId: String(id) } },
      }),
    ),
  }
}

function groupEntries(groups: Parameters<typeof groupNames>[0]): Entry[] {
  return [...groupNames(groups)].map(([id, title]) => ({
    id: `group ${id}`,
    title,
    target: { to: '/groups/$groupId', params: { groupId: String(id) } },
  }))
}

function networkEntry({ key, name }: { key: string; name: string }): Entry {
  return {
    id: `network ${key}`,
    title: name,
    target: { to: '/networks/$key', params: { key } },
  }
}

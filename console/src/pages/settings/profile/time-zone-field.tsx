import { Select, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { ApiError } from '../../../api/client.ts'
import { useAction } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useSession } from '../../../session/session.ts'
import { tellFailure } from '../../../ui/notices.tsx'
import { exactTime, useNow } from '../../../ui/time.tsx'
import { setTimeZone, useTimeZone } from '../../../ui/time-zone.ts'
import { labelOf, listZones, searchZones } from './time-zones.ts'

const ofBrowser = 'browser'

/** Chooses the zone of all times. It holds at once, and is taken back when it is refused. */
export function TimeZoneField() {
  const { time_zone: saved } = useSession().session.user
  const [chosen, setChosen] = useState<string | null>()
  const [search, setSearch] = useState('')
  const zone = useTimeZone()
  const now = useNow()
  const [openedAt] = useState(() => new Date(now))
  const choices = useMemo(() => {
    const browser = new Intl.DateTimeFormat().resolvedOptions().timeZone
    const label = t('Browser time zone: {browser}', { browser: labelOf(browser, openedAt) })
    return [{ value: ofBrowser, label }, ...listZones(openedAt)]
  }, [openedAt])
  const action = useAction('PATCH /user', {
    invalidates: ['GET /auth/session'],
    onError: (error: ApiError) => {
      setChosen(undefined)
      setTimeZone(saved ?? undefined)
      tellFailure(t('The time zone was not changed'), error)
    },
  })
  const choose = (value: string | null) => {
    if (value === null) return
    const time_zone = value === ofBrowser ? null : value
    setChosen(time_zone)
    setTimeZone(time_zone ?? undefined)
    action.mutate({ body: { time_zone } })
  }
  const current = chosen === undefined ? saved : chosen
  return (
    <Stack gap="xs" maw={400}>
      <Select
        aria-label={t('Time zone')}
        searchable
        searchValue={search}
        onSearchChange={setSearch}
        // What is chosen must not be in the way of what is typed.
        onDropdownOpen={() => setSearch('')}
        placeholder={t('Type a city, a region or an offset')}
        allowDeselect={false}
        value={current ?? ofBrowser}
        data={withOwn(choices, current, openedAt)}
        onChange={choose}
        limit={100}
        filter={({ options, search }) => searchZones(options as typeof choices, search)}
        nothingFoundMessage={t('No zone has this in its name')}
        maxDropdownHeight={320}
      />
      <Text size="sm" c="dimmed" role="status">
        {action.isPending
          ? t('Saving…')
          : t('It is {value} there.', { value: exactTime(new Date(now), zone) })}
      </Text>
    </Stack>
  )
}

/** A zone of the service that this browser does not know by that name. */
function withOwn(choices: ReturnType<typeof listZones>, current: string | null, now: Date) {
  if (!current || choices.some(({ value }) => value === current)) return choices
  return [...choices, { value: current, label: labelOf(current, now) }]
}

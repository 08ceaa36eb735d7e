import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError, call } from '../../../api/client.ts'
import type { Schemas } from '../../../api/generated.ts'
import { queryClient } from '../../../api/hooks.ts'
import { useFormats } from '../../../ui/formats.ts'
import { useTimeZone } from '../../../ui/time-zone.ts'
import type { WidgetData } from '../dashboard.ts'
import { versionsOf, withKnown } from '../use-widget-data.ts'

/** What a link shows, read again and again: a screen hangs for months, and nobody reloads it. */

export type SharedLink = Schemas['SharedLink']

/** A link as a screen opens it. */
export interface Opened {
  token: string
  /** In place of its password. */
  pass: string | undefined
}

/** Milliseconds. What has not changed is not sent. */
const readInterval = 15_000
const lookInterval = 60_000

const keyOfLink = ({ token, pass }: Opened) => ['GET /shared-dashboards/{token}', token, pass]

function optionsOf({ pass }: Opened, signal: AbortSignal) {
  const headers: Record<string, string> = pass === undefined ? {} : { 'x-link-pass': pass }
  return { isAnonymous: true, headers, signal }
}

export function useSharedLink(opened: Opened) {
  return useQuery({
    queryKey: keyOfLink(opened),
    queryFn: async ({ signal }) => {
      const path = { token: opened.token }
      const options = optionsOf(opened, signal)
      return (await call('GET /shared-dashboards/{token}', { path }, options)).data
    },
    // Also where it is refused: a dashboard that was deleted may come back.
    refetchInterval: lookInterval,
    staleTime: lookInterval,
  })
}

interface SharedData {
  revision: string
  widgets: WidgetData[]
}

/** What the widgets of one of its dashboards show. */
export function useSharedData(opened: Opened, { revision }: SharedLink, index: number) {
  const zone = { time_zone: useTimeZone(), week_start: useFormats().week_start }
  const queryKey = ['POST /shared-dashboards/{token}/data', opened, revision, index, zone]
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<SharedData> => {
      const known = queryClient.getQueryData<SharedData>(queryKey)?.widgets ?? []
      const body = { index, versions: versionsOf(known), ...zone }
      const path = { token: opened.token }
      const options = optionsOf(opened, signal)
      const { data } = await call('POST /shared-dashboards/{token}/data', { path, body }, options)
      return {
        revision: data.revision,
        widgets: data.widgets.map((one, at) => withKnown(one, known[at]) ?? one),
      }
    },
    refetchInterval: readInterval,
    staleTime: readInterval / 3,
  })
  const isOther = query.data !== undefined && query.data.revision !== revision
  const isRefused = query.error instanceof ApiError && [403, 404].includes(query.error.status)
  // Another dashboard, another password, or an end of it.
  useEffect(() => {
    if (isOther || isRefused) {
      void queryClient.invalidateQueries({ queryKey: ['GET /shared-dashboards/{token}'] })
    }
  }, [isOther, isRefused])
  return query
}

/** The pass of this screen, kept where the browser keeps things: in a frame it may not. */
export function usePass(token: string) {
  const key = `link ${token}`
  const [pass, setPass] = useState(() => {
    try {
      return localStorage.getItem(key) ?? undefined
    } catch {
      return undefined
    }
  })
  const keep = (next: string) => {
    setPass(next)
    try {
      localStorage.setItem(key, next)
    } catch {
      // It is asked for again after the next reload.
    }
  }
  return { pass, keep }
}

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type Answer, ApiError, call, type RequestParts } from '../../api/client.ts'
import { keyOf, useApi } from '../../api/hooks.ts'
import { useUplinks } from '../../live/hooks.ts'
import { tellWarnings } from './tell-warnings.tsx'

const operation = 'GET /fleet/devices/{device_id}'

export type DeviceRecord = Answer<typeof operation>['data']

/** Milliseconds between two readings of the device, however many uplinks it sends. */
const refreshed = 2000

/** The device. Its uplinks and changes renew it while it is shown. */
export function useDevice(eui: string) {
  const client = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useUplinks({ device: eui }, () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void client.invalidateQueries({ queryKey: keyOf(operation, { path: { device_id: eui } }) })
    }, refreshed)
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  return useApi(operation, { path: { device_id: eui } })
}

interface DeviceChange {
  body: RequestParts<'PATCH /devices/{device_id}'>['body']
  /** What the page shows until the answer is there. */
  shown: Partial<DeviceRecord>
}

/** Changes the device. The change is shown at once, and taken back if it is refused. */
export function useDeviceChange(eui: string) {
  const client = useQueryClient()
  const queryKey = keyOf(operation, { path: { device_id: eui } })
  return useMutation<
    Answer<'PATCH /devices/{device_id}'>,
    ApiError,
    DeviceChange,
    { before: Answer<typeof operation> | undefined }
  >({
    mutationFn: ({ body }) =>
      call('PATCH /devices/{device_id}', { path: { device_id: eui }, body }),
    onMutate: async ({ shown }) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData<Answer<typeof operation>>(queryKey)
      if (before) client.setQueryData(queryKey, { data: { ...before.data, ...shown } })
      return { before }
    },
    onError: (_error, _change, context) => {
      if (context?.before) client.setQueryData(queryKey, context.before)
    },
    onSuccess: ({ warnings }) => tellWarnings(warnings),
    onSettled: () => {
      void client.invalidateQueries({ queryKey })
      void client.invalidateQueries({ queryKey: keyOf('GET /fleet/devices') })
      void client.invalidateQueries({ queryKey: keyOf('GET /fleet/tags') })
    },
  })
}

/** The API's words about a field, or about the whole request. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error)
  const [first] = Object.values(error.errors).flat()
  return first ?? error.message
}

import { useState } from 'react'
import { useAction, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { useMay } from '../../../session/session.ts'
import { tellFailure } from '../../../ui/notices.tsx'
import type { FleetNetwork } from '../network-words.ts'

/** The steps of the first hour, in their order. */
export const stepKeys = ['network', 'devices', 'uplinks', 'dashboard', 'alerts', 'people'] as const
export type StepKey = (typeof stepKeys)[number]

export const stepTitles: Record<StepKey, string> = {
  network: t('Connect a network'),
  devices: t('Bring your devices in'),
  uplinks: t('See the first uplinks'),
  dashboard: t('Look at a dashboard'),
  alerts: t('Turn on alerts'),
  people: t('Invite others'),
}

/** Milliseconds: the first uplinks appear by themselves. */
const interval = 5000

/**
 * What is done, from what is there; and what was passed over, which the service keeps for the
 * organization. Somebody who may not manage it passes over a step for themselves, until the page is left.
 */
export function useSteps() {
  const networks = useApi('GET /fleet/networks', {}, { refetchInterval: interval })
  const summary = useApi('GET /fleet/summary', {}, { refetchInterval: interval })
  const rules = useApi('GET /alert-rules/suggestions', {})
  const members = useApi('GET /organization/users', {})
  const kept = useApi('GET /organization/first-steps', {})
  const keep = useAction('POST /organization/first-steps', {
    invalidates: ['GET /organization/first-steps'],
    onError: (error) => tellFailure(t('Could not keep which steps you passed over.'), error),
  })
  const mayKeep = useMay('manage_account')
  const [own, setOwn] = useState<readonly StepKey[]>([])
  const passed: readonly string[] = [...(kept.data?.data.passed ?? []), ...own]
  const { devices, uplinks } = summary.data?.data ?? {}
  const isDone: Record<StepKey, boolean> = {
    network: (networks.data?.data ?? []).some(isConnected),
    devices: (devices?.total ?? 0) > 0,
    uplinks: (uplinks?.total ?? 0) > 0,
    dashboard: passed.includes('dashboard'),
    alerts: (rules.data?.rules ?? 0) > 0,
    people: (members.data?.data.length ?? 0) > 1,
  }
  return {
    error: networks.error ?? summary.error,
    isKnown:
      networks.data !== undefined &&
      summary.data !== undefined &&
      !kept.isPending &&
      !rules.isPending &&
      !members.isPending,
    networks: networks.data?.data ?? [],
    uplinks: uplinks?.total ?? 0,
    suggestions: rules.data?.data ?? [],
    isDone,
    isPassed: (step: StepKey) => passed.includes(step),
    pass: (step: StepKey) => {
      setOwn((known) => [...known, step])
      if (mayKeep) keep.mutate({ body: { step } })
    },
    next: stepKeys.find((step) => !isDone[step] && !passed.includes(step)),
  }
}

export function isConnected({ accounts }: FleetNetwork): boolean {
  return accounts.some(({ api }) => api.status === 'connected')
}

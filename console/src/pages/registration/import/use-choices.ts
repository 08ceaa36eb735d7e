import { useMemo } from 'react'
import { chosenAccount } from '../../../accounts/account-key.ts'
import { useApi } from '../../../api/hooks.ts'
import { choicesOf, type DeviceForm } from '../register/registration-form.ts'

export interface Choice {
  value: string
  label: string
}

/** What the rows may name: connected networks, types, and what the network's form offers. */
export function useChoices(network: string | null) {
  const networks = useApi('GET /fleet/networks', {})
  const connected = useMemo(
    () =>
      (networks.data?.data ?? []).flatMap(({ key, name, id, accounts }) =>
        id === null || accounts.length === 0
          ? []
          : { key, name, account: chosenAccount(accounts, null) },
      ),
    [networks.data],
  )
  const key = network ?? connected[0]?.key
  const answer = useApi(
    'GET /configurations',
    { query: { network: key ?? '', type: 'device' } },
    { enabled: key !== undefined, keepsPrevious: true },
  )
  const form: DeviceForm | undefined =
    answer.data && 'payment' in answer.data ? answer.data.form : undefined
  const types = useMemo(
    () =>
      (form ? choicesOf(form, 'deviceTypeId') : []).map(({ value, label }) => ({
        id: value,
        name: label,
      })),
    [form],
  )
  return {
    networks: connected,
    types,
    form,
    error: networks.error ?? answer.error,
    isPending: networks.isPending || (key !== undefined && answer.isPending),
  }
}

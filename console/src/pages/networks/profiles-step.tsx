import { Group, Stack, Text, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { type AccountKey, accountInQuery } from '../../accounts/account-key.ts'
import type { Answer } from '../../api/client.ts'
import { useAction, useApi } from '../../api/hooks.ts'
import { rich, t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ErrorNotice, FormError, tellSuccess } from '../../ui/notices.tsx'
import { LoadingLines } from '../../ui/page.tsx'
import type { FleetNetwork } from './network-words.ts'
import classes from './networks.module.css'
import { TypeSelect } from './type-select.tsx'

interface ProfilesProps {
  network: FleetNetwork
  account: AccountKey
}

type Profiles = Answer<'GET /network-accounts/{network}/profiles'>['data']

/** The device profiles that new devices get at the network, by their type. */
export function ProfilesStep({ network, account }: ProfilesProps) {
  const parts = { path: { network: network.key }, query: accountInQuery(account) }
  const { data, error, refetch } = useApi('GET /network-accounts/{network}/profiles', parts)
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (!data) return <LoadingLines />
  return <ProfileForm network={network} account={account} stored={data.data} />
}

interface Row {
  id: number
  type: number | undefined
  profile: string
}

function toRows(profiles: Profiles['profiles']): Row[] {
  return profiles.map(({ device_type: type, profile }, id) => ({ id, type, profile }))
}

function ProfileForm({ network, account, stored }: ProfilesProps & { stored: Profiles }) {
  const [rows, setRows] = useState<Row[]>(() => toRows(stored.profiles))
  const [message, setMessage] = useState('')
  const save = useAction('PUT /network-accounts/{network}/profiles', {
    invalidates: ['GET /network-accounts/{network}/profiles'],
  })
  const { submit, isBusy, errorOf, forget, rest } = useSubmit(async () => {
    const body = { ...accountInQuery(account), profiles: rows.map(toProfile) }
    const { data } = await save.mutateAsync({ path: { network: network.key }, body })
    setRows(toRows(data.profiles))
    setMessage(data.message)
    tellSuccess(t('New devices get these profiles.'))
  })
  const change = (id: number, changes: Partial<Row>) =>
    setRows((known) => known.map((row) => (row.id === id ? { ...row, ...changes } : row)))
  const remove = (id: number) => {
    forget()
    setRows((known) => known.filter((row) => row.id !== id))
  }
  const add = () =>
    setRows((known) => {
      const id = Math.max(-1, ...known.map((row) => row.id)) + 1
      return [...known, { id, type: undefined, profile: '' }]
    })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <Text size="sm">
          {stored.usual
            ? rich("Device types that need another profile than the account's, {profile}.", {
                profile: <code className={classes.profile}>{stored.usual}</code>,
              })
            : t("Device types that need another profile than the account's.")}{' '}
          {t('Devices that are at the network keep theirs.')}
        </Text>
        {rows.map((row, index) => (
          <ProfileRow
            key={row.id}
            row={row}
            number={index + 1}
            typeError={errorOf(`profiles.${index}.device_type`)}
            profileError={errorOf(`profiles.${index}.profile`)}
            onChange={(changes) => change(row.id, changes)}
            onRemove={() => remove(row.id)}
          />
        ))}
        <FormError {...rest} />
        {message && (
          <Notice kind="warn" title={t('Saved, and not tried at the network')}>
            <Text size="sm">{message}</Text>
          </Notice>
        )}
        <Group gap="xs">
          <ActionButton
            needs="manage_account"
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={add}
          >
            {t('Add a device type')}
          </ActionButton>
          <ActionButton
            type="submit"
            needs="manage_account"
            loading={isBusy}
            blockedBy={isSame(rows, stored.profiles) ? t('There is nothing to save.') : undefined}
          >
            {t('Save the profiles')}
          </ActionButton>
        </Group>
      </Stack>
    </form>
  )
}

/** A type that is not chosen is the API's to name. */
function toProfile({ type, profile }: Row) {
  return { device_type: type as number, profile: profile.trim() }
}

function isSame(rows: readonly Row[], stored: Profiles['profiles']): boolean {
  return JSON.stringify(rows.map(toProfile)) === JSON.stringify(stored)
}

interface ProfileRowProps {
  row: Row
  number: number
  typeError: string | undefined
  profileError: string | undefined
  onChange: (changes: Partial<Row>) => void
  onRemove: () => void
}

function ProfileRow(props: ProfileRowProps) {
  const { row, number, typeError, profileError, onChange, onRemove } = props
  return (
    <div className={classes.profileRow}>
      <TypeSelect
        label={t('Device type {number}', { number })}
        value={row.type}
        error={typeError}
        onChange={(type) => onChange({ type })}
      />
      <TextInput
        label={t('Profile {number}', { number })}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={row.profile}
        error={profileError}
        onChange={(event) => onChange({ profile: event.currentTarget.value })}
      />
      <ActionButton
        needs="manage_account"
        variant="default"
        aria-label={t('Remove profile {number}', { number })}
        onClick={onRemove}
      >
        {t('Remove')}
      </ActionButton>
    </div>
  )
}

import { Alert, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconPlugConnected, IconTestPipe } from '@tabler/icons-react'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { type AccountKey, accountInQuery } from '../../accounts/account-key.ts'
import type { Answer } from '../../api/client.ts'
import { useAction } from '../../api/hooks.ts'
import { t } from '../../languages/text.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { DraftNotice, useDraft } from '../../ui/draft.tsx'
import { useSubmit } from '../../ui/form.tsx'
import { FormError, tellSuccess } from '../../ui/notices.tsx'
import { type AccountField, type FieldChoices, useAccountChoices } from './account-choices.ts'
import { AccountInput } from './account-input.tsx'
import { CheckList } from './check-list.tsx'
import { readFieldHelp, useGuideText } from './guide-text.ts'
import type { FleetNetwork } from './network-words.ts'

type StoredAccount = Answer<'GET /network-accounts'>['data'][number]

interface AccountFormProps {
  network: FleetNetwork
  method: AccountKey
  /** The values that are stored, without secrets; undefined before the first time. */
  stored: StoredAccount['account'] | undefined
}

/** Undefined: nothing was chosen yet, which '' is not. */
type Typed = Record<string, string | undefined>

/**
 * Server and key first; then what the network lists with them, by its names. A network without lists,
 * and an account that is stored, has all fields at once.
 */
export function AccountForm(props: AccountFormProps) {
  const { network } = props
  const { draft, isStored, isWhole, field, request, choices, check, save, ...form } =
    useAccountForm(props)
  const { submit } = useSubmit(() =>
    isWhole ? save.mutateAsync(request) : choices.ask(request.body),
  )
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <DraftNotice draft={draft} hasSecrets onStartOver={form.setTyped} />
        <AccountFields state={field} isWhole={isWhole} />
        {isWhole ? (
          <SaveButtons
            isStored={isStored}
            isSaving={save.isPending}
            isChecking={check.isPending}
            onCheck={() => check.mutate(request)}
          />
        ) : (
          <ContinueButtons
            network={network}
            isAsking={choices.isAsking}
            isRefused={choices.checks.length > 0}
            onByHand={() => form.setByHand(true)}
          />
        )}
        <FormError
          error={save.error ?? check.error ?? (isWhole ? null : choices.error)}
          fields={network.fields.map(({ name }) => name)}
        />
        {form.checks.length > 0 && <CheckList checks={form.checks} />}
        {save.data && <Saved account={save.data.data} />}
      </Stack>
    </form>
  )
}

function useAccountForm({ network, method, stored }: AccountFormProps) {
  const isStored = stored !== undefined && stored !== null
  const draft = useDraft<Typed>(`account ${network.key} ${method}`, {}, secretsOf(network))
  const [typed, setTyped] = useState(draft.start)
  const [isByHand, setByHand] = useState(false)
  const change = (next: Typed) => {
    setTyped(next)
    draft.keep(next)
  }
  const bodyWith = (values: Typed) => bodyOf(network, { ...stored, ...values }, method)
  const choices = useAccountChoices(network, {
    start: isStored ? bodyWith({}) : undefined,
    onOnly: useCallback((only: Typed) => setTyped((known) => ({ ...known, ...only })), []),
  })
  const isWhole = isStored || isByHand || !choices.hasLists || choices.isAnswered
  const check = useAction('POST /network-accounts/{network}/check')
  const save = useSave(network, () => {
    change({})
    draft.forget()
    check.reset()
  })
  const checks = check.data?.data.checks ?? (isWhole ? [] : choices.checks)
  const values = { ...stored, ...typed, ...(!isStored && allOf(network, choices.fields, typed)) }
  const errors = save.error?.errors ?? check.error?.errors ?? choices.errors
  const suspects = checks.flatMap(({ ok, fields }) => (ok === false ? fields : []))
  const field: FieldState = {
    network,
    values,
    isStored,
    errorOf: (name) => errors[name]?.[0] ?? (suspects.includes(name) && t('See below.')),
    listedOf: (name) => choices.fields.get(name),
    onChange: (name, value) =>
      change({ ...typed, ...withoutChildren(network, name), [name]: value }),
    onDone: (name, value) => {
      const isNew = isParent(network, name) && value !== '' && value !== choices.asked?.[name]
      if (isNew)
        choices.ask(bodyWith({ ...typed, ...withoutChildren(network, name), [name]: value }))
    },
  }
  const request = { path: { network: network.key }, body: bodyOf(network, values, method) }
  return {
    draft,
    isStored,
    isWhole,
    field,
    request,
    choices,
    check,
    checks,
    save,
    setTyped,
    setByHand,
  }
}

function secretsOf({ fields }: FleetNetwork): string[] {
  return fields.flatMap(({ name, secret }) => (secret ? [name] : []))
}

/** Whether lists of other fields depend on this one. */
function isParent({ fields }: FleetNetwork, name: string): boolean {
  return fields.some(({ listed }) => listed?.within === name)
}

/** What was chosen within the former value is not there within another. */
function withoutChildren({ fields }: FleetNetwork, name: string): Typed {
  const children = fields.filter(({ listed }) => listed?.within === name)
  return Object.fromEntries(children.map((child) => [child.name, undefined]))
}

/** What a new account begins with where it may have several: all that the network lists. */
function allOf(
  { fields }: FleetNetwork,
  listed: ReadonlyMap<string, FieldChoices>,
  typed: Typed,
): Typed {
  const several = fields.filter(({ name, listed }) => listed?.several && typed[name] === undefined)
  const chosen = new Set(Object.values(typed))
  return Object.fromEntries(
    several.map(({ name }) => {
      const others = (listed.get(name)?.choices ?? []).filter(({ value }) => !chosen.has(value))
      return [
        name,
        others.length > mostOthers ? undefined : others.map(({ value }) => value).join(','),
      ]
    }),
  )
}

/** More are not chosen by themselves. */
const mostOthers = 50

function useSave(network: FleetNetwork, onSaved: () => void) {
  return useAction('PUT /network-accounts/{network}', {
    invalidates: ['GET /fleet/networks', 'GET /network-accounts'],
    onSuccess: ({ data }) => {
      onSaved()
      if (data.status === 'connected')
        tellSuccess(t('{name} is connected.', { name: network.name }))
    },
  })
}

/** An empty secret is left out, so that the stored one stays; other empty fields are cleared. */
function bodyOf({ fields }: FleetNetwork, values: Typed, account: AccountKey) {
  const filled = fields
    .map(({ name, secret }) => ({ name, secret, value: values[name]?.trim() ?? '' }))
    .filter(({ secret, value }) => value !== '' || !secret)
    .map(({ name, value }) => [name, value] as const)
  return { ...Object.fromEntries(filled), ...accountInQuery(account) }
}

interface FieldState {
  network: FleetNetwork
  values: Typed
  isStored: boolean
  errorOf: (name: string) => string | false | undefined
  listedOf: (name: string) => FieldChoices | undefined
  onChange: (name: string, value: string) => void
  onDone: (name: string, value: string) => void
}

/** First what it takes to ask the network, then what is chosen there, then what few need. */
function AccountFields({ state, isWhole }: { state: FieldState; isWhole: boolean }) {
  const { network } = state
  const { data: guide = '' } = useGuideText(network.docs ?? '')
  const help = useMemo(() => readFieldHelp(guide), [guide])
  const show = (fields: readonly AccountField[]) => (
    <SimpleGrid cols={{ base: 1, sm: 2 }} verticalSpacing="sm">
      {fields.map((field) => (
        <AccountInput
          key={field.name}
          field={field}
          value={state.values[field.name] ?? ''}
          isStored={state.isStored}
          help={help.get(field.name)}
          error={state.errorOf(field.name)}
          listed={state.listedOf(field.name)}
          onChange={(value) => state.onChange(field.name, value)}
          onDone={(value) => state.onDone(field.name, value)}
        />
      ))}
    </SimpleGrid>
  )
  const listed = network.fields.filter((field) => field.listed)
  const further = network.fields.filter((field) => !field.listed && !field.required)
  return (
    <>
      {show(network.fields.filter((field) => !field.listed && field.required))}
      {isWhole && listed.length > 0 && show(listed)}
      {further.length > 0 && <FurtherFields state={state}>{show(further)}</FurtherFields>}
    </>
  )
}

/** Folded, unless something is entered or wrong there. */
function FurtherFields({ state, children }: { state: FieldState; children: ReactNode }) {
  const isUsed = state.network.fields.some(
    ({ name, listed, required }) =>
      !listed && !required && (state.values[name] || state.errorOf(name)),
  )
  const [isOpen, setOpen] = useState(false)
  return (
    <details open={isOpen || isUsed} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t('More settings')}</summary>
      {children}
    </details>
  )
}

interface SaveButtonsProps {
  isStored: boolean
  isSaving: boolean
  isChecking: boolean
  onCheck: () => void
}

function SaveButtons({ isStored, isSaving, isChecking, onCheck }: SaveButtonsProps) {
  return (
    <Group gap="xs">
      <ActionButton
        needs="manage_account"
        variant="default"
        leftSection={<IconTestPipe size={16} aria-hidden />}
        loading={isChecking}
        onClick={onCheck}
      >
        {t('Check')}
      </ActionButton>
      <ActionButton
        type="submit"
        needs="manage_account"
        leftSection={<IconPlugConnected size={16} aria-hidden />}
        loading={isSaving}
      >
        {isStored ? t('Save') : t('Connect')}
      </ActionButton>
      <Text size="xs" c="dimmed">
        {t('The check changes nothing at the network and stores nothing.')}
      </Text>
    </Group>
  )
}

interface ContinueButtonsProps {
  network: FleetNetwork
  isAsking: boolean
  /** The network was asked, and has not accepted what was entered. */
  isRefused: boolean
  onByHand: () => void
}

function ContinueButtons({ network, isAsking, isRefused, onByHand }: ContinueButtonsProps) {
  return (
    <Group gap="xs">
      <ActionButton type="submit" needs="manage_account" loading={isAsking}>
        {t('Continue')}
      </ActionButton>
      {isRefused && !isAsking ? (
        <Button variant="default" onClick={onByHand}>
          {t('Enter the rest by hand')}
        </Button>
      ) : (
        <Text size="xs" c="dimmed">
          {t('The next step lists what {name} has. Nothing is stored yet.', { name: network.name })}
        </Text>
      )}
    </Group>
  )
}

function Saved({ account }: { account: Answer<'PUT /network-accounts/{network}'>['data'] }) {
  if (account.status === 'connected' && account.message === '') return null
  const isConnected = account.status === 'connected'
  return (
    <Alert
      color={isConnected ? 'yellow' : 'red'}
      variant="outline"
      role="alert"
      title={
        isConnected
          ? t('Connected, with something to know')
          : t('Saved, but the network does not accept it')
      }
    >
      {account.message}
    </Alert>
  )
}

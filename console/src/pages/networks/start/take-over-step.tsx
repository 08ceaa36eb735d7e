import { Checkbox, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { LinkButton } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { ErrorNotice, FormError, tellSuccess } from '../../../ui/notices.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import { LoadingLines } from '../../../ui/page.tsx'
import type { FleetNetwork } from '../network-words.ts'
import { TypeSelect } from '../type-select.tsx'
import classes from './start.module.css'

const operation = 'POST /network-accounts/{network}/take-over'
type Offer = Answer<typeof operation>['data']
type Profile = Offer['profiles'][number]

/** What the connected networks have, and how it comes here. */
export function TakeOverStep({ networks }: { networks: readonly FleetNetwork[] }) {
  const listing = networks.filter(({ capabilities }) => capabilities.lists.includes('devices'))
  return (
    <Stack>
      {listing.map((network) => (
        <OfferOf key={network.key} network={network} />
      ))}
      <Text size="sm" c="dimmed">
        {listing.length === 0
          ? t(
              'No connected network lists its devices. Bring them in from a file, such as an export of the Radio Bridge console, or begin with one sensor.',
            )
          : t('Devices that are not in a list come from a file, or one by one.')}
      </Text>
      <Group>
        <LinkButton to="/import" variant="default">
          {t('Import a file')}
        </LinkButton>
        <LinkButton to="/install" variant="default">
          {t('Scan a first sensor')}
        </LinkButton>
      </Group>
    </Stack>
  )
}

function OfferOf({ network }: { network: FleetNetwork }) {
  const request = { path: { network: network.key }, body: { dry_run: true } }
  const { data, error, isPending, refetch } = useApi(operation, request, { staleTime: 60_000 })
  if (error) return <ErrorNotice error={error} retry={() => void refetch()} />
  if (isPending) {
    return (
      <div>
        <Text size="sm">{t('Reading what {name} has…', { name: network.name })}</Text>
        <LoadingLines count={3} />
      </div>
    )
  }
  const offer = data.data
  if (offer.devices + offer.gateways === 0) {
    return (
      <Text size="sm">
        {offer.taken > 0
          ? t(
              'All devices of {name} that can come are here. {taken} belong to another organization.',
              { name: network.name, taken: formatCount(offer.taken) },
            )
          : t('Everything that {name} lists is here.', { name: network.name })}
      </Text>
    )
  }
  return <TakeOver network={network} offer={offer} onDone={() => void refetch()} />
}

/** The choice of a type that is made of what the network has. */
const newType = -1

function useTakeOver(network: FleetNetwork, offer: Offer, onDone: () => void) {
  const [types, setTypes] = useState(
    () => new Map(offer.profiles.map((profile) => [profile.id, firstTypeOf(profile)])),
  )
  const [groupBy, setGroupBy] = useState<string | null>(
    offer.applications.length > 0 ? 'application' : null,
  )
  const [gateways, setGateways] = useState(offer.gateways > 0)
  const makeType = useAction('POST /device-types')
  const takeModel = useAction('POST /device-catalogue/{model_id}/types')
  const takeOver = useAction(operation, {
    invalidates: [
      'GET /fleet/summary',
      'GET /fleet/devices',
      'GET /fleet/networks',
      'GET /get-device-types',
    ],
    onSuccess: ({ data: { outcome } }) => {
      if (outcome) {
        tellSuccess(
          t('{count, plural, one {# device} other {# devices}} taken over.', {
            count: outcome.devices,
          }),
        )
      }
      onDone()
    },
  })
  /** Types are made first. */
  const send = async () => {
    const chosen: { profile: string; device_type: number }[] = []
    for (const profile of offer.profiles) {
      const type = types.get(profile.id)
      if (type === undefined) continue
      const made = type === newType ? await make(profile) : type
      chosen.push({ profile: profile.id, device_type: made })
    }
    const body = { types: chosen, group_by: groupBy, gateways }
    await takeOver.mutateAsync({ path: { network: network.key }, body })
  }
  /** Of the model of the catalogue, or of the codec, by the name of the profile. */
  const make = async ({ id, name, model, codec }: Profile) => {
    const { data } = model
      ? await takeModel.mutateAsync({ path: { model_id: model }, body: {} })
      : await makeType.mutateAsync({ body: { type_name: name, payload_format: 'ts013', ...codec } })
    // So that a second attempt does not make it again.
    setTypes((known) => new Map(known).set(id, data.id))
    return data.id
  }
  const choose = (id: string, type: number | undefined) =>
    setTypes((known) => new Map(known).set(id, type))
  const isBusy = takeOver.isPending || makeType.isPending || takeModel.isPending
  const error = takeModel.error ?? makeType.error ?? takeOver.error
  return {
    types,
    choose,
    groupBy,
    setGroupBy,
    gateways,
    setGateways,
    send,
    isBusy,
    error,
    takeOver,
  }
}

function firstTypeOf({ device_type, model, codec }: Profile): number | undefined {
  return device_type ?? (model || codec ? newType : undefined)
}

interface TakeOverProps {
  network: FleetNetwork
  offer: Offer
  onDone: () => void
}

function TakeOver({ network, offer, onDone }: TakeOverProps) {
  const { types, choose, groupBy, setGroupBy, gateways, setGateways, ...take } = useTakeOver(
    network,
    offer,
    onDone,
  )
  const coming = offer.profiles
    .filter(({ id }) => types.get(id) !== undefined)
    .reduce((sum, { devices }) => sum + devices, 0)
  const outcome = take.takeOver.data?.data.outcome
  const nothing = coming === 0 && !(gateways && offer.gateways > 0)
  return (
    <Stack>
      <Text size="sm">
        {t(
          '{name} has devices that are not here yet: {devices}, such as {names}. Gateways: {gateways}.',
          {
            name: network.name,
            devices: formatCount(offer.devices),
            names: offer.names.join(', '),
            gateways: formatCount(offer.gateways),
          },
        )}
      </Text>
      <Profiles profiles={offer.profiles} types={types} choose={choose} />
      <Select
        label={t('Groups')}
        data={[
          ...(offer.applications.length > 0
            ? [{ value: 'application', label: t('One for each application') }]
            : []),
          ...offer.tags.map(({ name }) => ({
            value: `tag:${name}`,
            label: t('One for each value of the tag {name}', { name }),
          })),
        ]}
        placeholder={t('None')}
        clearable
        clearButtonProps={{ 'aria-label': t('Make no groups') }}
        value={groupBy}
        onChange={setGroupBy}
      />
      {offer.gateways > 0 && (
        <Checkbox
          label={t('Take the gateways over, too: {gateways}', {
            gateways: formatCount(offer.gateways),
          })}
          checked={gateways}
          onChange={({ currentTarget }) => setGateways(currentTarget.checked)}
        />
      )}
      <FormError error={take.error} fields={[]} />
      {outcome && <Outcome outcome={outcome} />}
      <Group>
        <ActionButton
          needs="manage_devices"
          loading={take.isBusy}
          blockedBy={nothing ? t('Choose the type of at least one profile.') : undefined}
          onClick={() => void take.send().catch(() => undefined)}
        >
          {t('Take over {coming} of {devices} devices', {
            coming: formatCount(coming),
            devices: formatCount(offer.devices),
          })}
        </ActionButton>
      </Group>
    </Stack>
  )
}

interface ProfilesProps {
  profiles: readonly Profile[]
  types: ReadonlyMap<string, number | undefined>
  choose: (id: string, type: number | undefined) => void
}

/** Which type the devices of each profile become. */
function Profiles({ profiles, types, choose }: ProfilesProps) {
  return (
    <ul className={classes.profiles} aria-label={t('Types of the devices')}>
      {profiles.map((profile) => (
        <li key={profile.id}>
          <Text size="sm">
            {profile.name || t('Without a profile')}:{' '}
            {t('{count, plural, one {# device} other {# devices}}', { count: profile.devices })}
          </Text>
          <ProfileType
            profile={profile}
            value={types.get(profile.id)}
            onChange={(type) => choose(profile.id, type)}
          />
        </li>
      ))}
    </ul>
  )
}

interface ProfileTypeProps {
  profile: Profile
  value: number | undefined
  onChange: (type: number | undefined) => void
}

function ProfileType({ profile, value, onChange }: ProfileTypeProps) {
  const label = profile.name
    ? t('Type of {name}', { name: profile.name })
    : t('Type of devices without a profile')
  const canMake = profile.device_type === null && (profile.model || profile.codec)
  const [words, spoken] = profile.model
    ? [
        t('A new type, of its model in the device catalogue'),
        t('{label}: a new type, of its model in the device catalogue', { label }),
      ]
    : [
        t('A new type, with the codec that it has there'),
        t('{label}: a new type, with the codec that it has there', { label }),
      ]
  return (
    <Stack gap="xs">
      {canMake && (
        <Checkbox
          label={words}
          aria-label={spoken}
          checked={value === newType}
          onChange={({ currentTarget }) => onChange(currentTarget.checked ? newType : undefined)}
        />
      )}
      {value !== newType && (
        <TypeSelect
          label={label}
          isInRow
          placeholder={t('Choose a type')}
          value={value}
          onChange={onChange}
        />
      )}
    </Stack>
  )
}

function Outcome({ outcome }: { outcome: NonNullable<Offer['outcome']> }) {
  const { devices, gateways, groups, refused, refusals } = outcome
  return (
    <Notice kind={refused > 0 ? 'warn' : 'good'} title={t('Taken over')}>
      <Text size="sm">
        {t('Devices: {devices}. Gateways: {gateways}. New groups: {groups}. Refused: {refused}.', {
          devices: formatCount(devices),
          gateways: formatCount(gateways),
          groups: formatCount(groups),
          refused: formatCount(refused),
        })}
      </Text>
      {refusals.map(({ eui, message }) => (
        <Text size="sm" key={eui}>
          {eui}: {message}
        </Text>
      ))}
    </Notice>
  )
}

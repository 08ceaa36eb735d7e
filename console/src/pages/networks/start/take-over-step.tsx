import { Checkbox, Group, Select, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '../../../api/client.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { isOpen, useJob } from '../../../jobs/use-jobs.ts'
import { t } from '../../../languages/text.ts'
import { ActionButton } from '../../../ui/action-button.tsx'
import { LinkButton } from '../../../ui/link.tsx'
import { ErrorNotice, FormError } from '../../../ui/notices.tsx'
import { formatCount } from '../../../ui/numbers.ts'
import { LoadingLines } from '../../../ui/page.tsx'
import type { FleetNetwork } from '../network-words.ts'
import { TypeSelect } from '../type-select.tsx'
import classes from './start.module.css'
import { TakeOverJob, useTakeOverJob } from './take-over-job.tsx'
import { type TypedDevice, TypesFile } from './types-file.tsx'

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
              'No connected network lists its devices. Connect one first: devices then come over as they are, or from a file with their keys, or one by one.',
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
  const { id, isPending } = useTakeOverJob(network.key)
  if (isPending) return <LoadingLines count={3} />
  return id === undefined ? <Offered network={network} /> : <AfterJob network={network} id={id} />
}

function AfterJob({ network, id }: { network: FleetNetwork; id: number }) {
  const { job } = useJob(id)
  if (!job) return <LoadingLines count={3} />
  return (
    <Stack>
      <TakeOverJob job={job} />
      {/* While it runs, the network is not asked what is left. */}
      {!isOpen(job) && <Offered network={network} />}
    </Stack>
  )
}

function Offered({ network }: { network: FleetNetwork }) {
  const [named, setNamed] = useState<readonly TypedDevice[]>([])
  const devices = named.map(({ eui, device_type }) => ({ eui, device_type }))
  const body = { dry_run: true, ...(devices.length > 0 && { devices }) }
  const request = { path: { network: network.key }, body }
  const options = { staleTime: 60_000, keepsPrevious: true }
  const { data, error, isPending, isFetching, refetch } = useApi(operation, request, options)
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
  return (
    <>
      <Found network={network} offer={offer} />
      <TypesFile onRead={setNamed} />
      {isFetching ? (
        <LoadingLines count={3} />
      ) : (
        <TakeOver network={network} offer={offer} named={named} />
      )}
    </>
  )
}

/** What the network has. */
function Found({ network: { name }, offer }: { network: FleetNetwork; offer: Offer }) {
  const devices = formatCount(offer.devices)
  const gateways = formatCount(offer.gateways)
  const names = offer.names.join(', ')
  return (
    <Text size="sm">
      {offer.devices === 0
        ? t('{name} has gateways that are not here yet: {gateways}.', { name, gateways })
        : offer.gateways === 0
          ? t('{name} has devices that are not here yet: {devices}, such as {names}.', {
              ...{ name, devices, names },
            })
          : t(
              '{name} has devices that are not here yet: {devices}, such as {names}. Gateways: {gateways}.',
              { name, devices, names, gateways },
            )}
    </Text>
  )
}

/** The choice of a type that is made of what the network has. */
const newType = -1

function useTakeOver({ network, offer, named }: TakeOverProps) {
  const [types, setTypes] = useState(
    () => new Map(offer.profiles.map((profile) => [profile.id, firstTypeOf(profile)])),
  )
  const [groupBy, setGroupBy] = useState<string | null>(
    offer.applications.length > 0 ? 'application' : null,
  )
  const [gateways, setGateways] = useState(offer.gateways > 0)
  const makeType = useAction('POST /device-types')
  const takeModel = useAction('POST /device-catalogue/{model_id}/types')
  const takeOver = useAction(operation, { invalidates: ['GET /jobs', 'GET /get-device-types'] })
  /** Types are made first. */
  const send = async () => {
    const chosen: { profile: string; device_type: number }[] = []
    for (const profile of offer.profiles) {
      const type = types.get(profile.id)
      if (type === undefined) continue
      const made = type === newType ? await make(profile) : type
      chosen.push({ profile: profile.id, device_type: made })
    }
    const devices = named.length > 0 ? { devices: [...named] } : {}
    const body = { types: chosen, ...devices, group_by: groupBy, gateways }
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
  }
}

function firstTypeOf({ device_type, model, codec }: Profile): number | undefined {
  return device_type ?? (model || codec ? newType : undefined)
}

interface TakeOverProps {
  network: FleetNetwork
  offer: Offer
  /** Whose types a file names. */
  named: readonly TypedDevice[]
}

function TakeOver(props: TakeOverProps) {
  const { offer } = props
  const { types, choose, groupBy, setGroupBy, gateways, setGateways, ...take } = useTakeOver(props)
  const coming = offer.profiles
    .filter(({ id }) => types.get(id) !== undefined)
    .reduce((sum, { devices }) => sum + devices, offer.named)
  const nothing = coming === 0 && !(gateways && offer.gateways > 0)
  return (
    <Stack>
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

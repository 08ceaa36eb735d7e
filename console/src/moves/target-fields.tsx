import { Select, SimpleGrid, Stack, Text } from '@mantine/core'
import { type AccountKey, accountChoices, chosenAccount } from '../accounts/account-key.ts'
import { useApi } from '../api/hooks.ts'
import { t } from '../languages/text.ts'
import { DurationInput, durationWords } from '../ui/duration-input.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { LoadingLines } from '../ui/page.tsx'
import { choicesOf, type Network, placeFields, type TargetValues } from './target-form.ts'

interface TargetFieldsProps {
  networks: readonly Network[]
  values: TargetValues
  /** What the service says of a field. */
  errorOf: (name: string) => string | undefined
  onChange: (changes: Partial<TargetValues>) => void
}

/** Where devices move to, and what happens at each step. */
export function TargetFields({ networks, values, errorOf, onChange }: TargetFieldsProps) {
  const network = networks.find(({ key }) => key === values.network)
  return (
    <Stack gap="sm">
      <Select
        label={t('New network')}
        withAsterisk
        data-autofocus
        data={networks.map(({ key, name }) => ({ value: key, label: name }))}
        value={values.network}
        error={errorOf('network')}
        onChange={(key) =>
          onChange({ network: key, appRegion: null, frequencyPlan: null, gatewayId: null })
        }
      />
      {network && network.accounts.length > 1 && (
        <Select
          label={t('Account')}
          allowDeselect={false}
          data={accountChoices(network.accounts)}
          value={chosenAccount(network.accounts, values.account)}
          onChange={(key) => onChange({ account: key as AccountKey | null })}
        />
      )}
      {network && (
        <PlaceFields network={network} values={values} errorOf={errorOf} onChange={onChange} />
      )}
      <DurationInput
        label={t('Time until it is put back')}
        description={t('If the new network has not heard it by then.')}
        min={60}
        units={['hours', 'days']}
        value={values.hours * 60}
        error={errorOf('hours')}
        onChange={(minutes) => onChange({ hours: Number(minutes) / 60 })}
      />
      {network && <Steps network={network} hours={values.hours} />}
    </Stack>
  )
}

/** The fields that the network's own form has. */
function PlaceFields({
  network,
  values,
  errorOf,
  onChange,
}: Omit<TargetFieldsProps, 'networks'> & { network: Network }) {
  const query = { network: network.key, type: 'device' } as const
  const form = useApi('GET /configurations', { query })
  if (form.error) return <ErrorNotice error={form.error} retry={() => void form.refetch()} />
  if (!form.data || !('payment' in form.data)) return <LoadingLines />
  const { form: device } = form.data
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
      {placeFields.map(([name, label]) => {
        const choices = choicesOf(device, name)
        const field = device.fields[name]
        if (!choices || field === 'na') return null
        // The region of the device stays where none is chosen.
        const isRequired = name !== 'appRegion' && field.validation === 'required'
        return (
          <Select
            key={name}
            label={label}
            withAsterisk={isRequired}
            placeholder={name === 'appRegion' ? t('Unchanged') : undefined}
            searchable
            clearable
            data={choices}
            value={values[name]}
            error={errorOf(name)}
            onChange={(value) => onChange({ [name]: value })}
          />
        )
      })}
    </SimpleGrid>
  )
}

function Steps({ network, hours }: { network: Network; hours: number }) {
  const isByHand = network.capabilities.registration === 'by_hand'
  return (
    <Text size="sm" component="ol" pl="md" my={0}>
      <li>
        {isByHand
          ? t('You create it at {name} by hand; the move says with which values.', {
              name: network.name,
            })
          : t('It is created at {name}, and stays where it is.', { name: network.name })}
      </li>
      <li>
        {t('It joins there by itself, at its next reset or when it gets no answers any more.')}
      </li>
      <li>
        {t('Its first uplink by {name} completes the move: the old network forgets it.', {
          name: network.name,
        })}
      </li>
      <li>
        {t('Without such an uplink in {hours}, it is put back. It keeps its history.', {
          hours: durationWords(hours * 60),
        })}
      </li>
    </Text>
  )
}

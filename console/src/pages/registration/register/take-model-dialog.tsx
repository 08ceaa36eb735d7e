import { Modal, Select, Text } from '@mantine/core'
import { useState } from 'react'
import type { Schemas } from '../../../api/generated.ts'
import { useAction, useApi } from '../../../api/hooks.ts'
import { t } from '../../../languages/text.ts'
import { lorawanWords } from '../../../radio/lorawan-words.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Form } from '../../../ui/form.tsx'
import { ErrorNotice, tellSuccess } from '../../../ui/notices.tsx'
import { LoadingLines } from '../../../ui/page.tsx'
import { type Model, nameOf, type RadioProfile } from './models.ts'

type Details = Schemas['CatalogueModelDetails']
type Saved = Schemas['SavedDeviceType']

interface TakeModelProps {
  model: Model
  /** ProfileID of a code, which says the version and the region. */
  profile: string | undefined
  onTake: (type: Saved) => void
  onClose: () => void
}

/** Says what choosing the model makes, asks for what the catalogue leaves open, and makes the type. */
export function TakeModelDialog({ model, ...props }: TakeModelProps) {
  const details = useApi('GET /device-catalogue/{model_id}', { path: { model_id: model.id } })
  return (
    <Modal opened onClose={props.onClose} title={t('Use {name}?', { name: nameOf(model) })}>
      {details.error && <ErrorNotice error={details.error} retry={() => void details.refetch()} />}
      {details.isPending && <LoadingLines count={3} />}
      {details.data && <TakeModel details={details.data.data} {...props} />}
    </Modal>
  )
}

function TakeModel({ details, profile, onTake, onClose }: TakeProps) {
  const versions = details.versions.filter((version) => version.has_codec)
  const named = versions.find(({ profiles }) => profiles.some((one) => isOf(one, profile)))
  const firmwares = distinct(versions.map(({ firmware_version: version }) => version))
  const [firmware, setFirmware] = useState(
    () => named?.firmware_version ?? firmwares.at(-1) ?? null,
  )
  const own = versions.filter((version) => version.firmware_version === firmware)
  const profiles = own.flatMap((version) => version.profiles)
  const regions = distinct(profiles.map(({ region }) => region))
  const [picked, setPicked] = useState<string | null>(
    () => named?.profiles.find((one) => isOf(one, profile))?.region ?? null,
  )
  const region = regions.length === 1 ? (regions[0] ?? null) : picked
  const isOpen = regions.length > 1 && !regions.includes(region ?? '')
  const radio = profiles.find((one) => one.region === region)
  const take = useAction('POST /device-catalogue/{model_id}/types', {
    invalidates: typeReads,
    onSuccess: ({ data }) => {
      tellSuccess(madeWords(data))
      onTake(data)
    },
  })
  return (
    <Form
      action={t('Make the type')}
      needs="manage_devices"
      blockedBy={isOpen ? t('Choose a region first.') : undefined}
      onSubmit={() =>
        take.mutateAsync({
          path: { model_id: details.id },
          body: { firmware_version: firmware, region },
        })
      }
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Text size="sm">{t('It becomes a device type of your own, which you can change.')}</Text>
          <Facts rows={factsOf(details, radio)} />
          {firmwares.length > 1 && (
            <Select
              label={t('Firmware version')}
              allowDeselect={false}
              data={firmwares}
              value={firmware}
              onChange={setFirmware}
              error={errorOf('firmware_version')}
            />
          )}
          {regions.length > 1 && (
            <Select
              label={t('Region')}
              withAsterisk
              allowDeselect={false}
              data={regions}
              value={isOpen ? null : region}
              onChange={setPicked}
              error={errorOf('region')}
            />
          )}
        </>
      )}
    </Form>
  )
}

type TakeProps = Omit<TakeModelProps, 'model'> & { details: Details }

/** What shows types: the form of the registration too. */
const typeReads = [
  ...(['GET /configurations', 'GET /catalogue', 'GET /device-types'] as const),
  ...(['GET /get-device-types', 'GET /device-catalogue'] as const),
]

function factsOf({ examples, source }: Details, radio: RadioProfile | undefined) {
  const cases = t('with {examples, plural, one {# test case} other {# test cases}}', { examples })
  const version = radio?.mac_version.startsWith('1.1') ? '1.1' : '1.0'
  return [
    [t('Catalogue'), source.name],
    [t('Codec'), cases],
    ...(radio
      ? [['LoRaWAN', lorawanWords({ ...radio, version, deviceClass: radio.device_class })] as const]
      : []),
  ] as const
}

function madeWords({ full_name: name, example_results: results }: Saved): string {
  const passed = results.filter((result) => result.passed).length
  if (results.length === 0) return t('{name} is made.', { name })
  return t('{name} is made: {passed} of {count} test cases pass.', {
    name,
    passed,
    count: results.length,
  })
}

function isOf({ profile_id: id }: RadioProfile, profile: string | undefined) {
  return id !== null && id === profile
}

function distinct(texts: readonly (string | null)[]): string[] {
  return [...new Set(texts)].filter((text) => text !== null)
}

import { Button, Group, NumberInput, Stack, Text } from '@mantine/core'
import { IconCurrentLocation } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { t } from '../languages/text.ts'
import type { Permission } from '../session/session.ts'
import { ActionButton } from '../ui/action-button.tsx'
import { useSubmit } from '../ui/form.tsx'
import { FormError } from '../ui/notices.tsx'
import type { MapPoint } from './map-points.ts'
import { MapView } from './map-view.tsx'
import { isSaid, type NewPlace, type Place } from './place.ts'

type Draft = Partial<Record<'latitude' | 'longitude' | 'altitude', number | undefined>> & {
  place_source: NonNullable<NewPlace['place_source']>
}

interface PlaceFormProps {
  /** Its name, on the map. */
  name: string
  place: Place
  look: Pick<MapPoint, 'kind' | 'detail' | 'shape'>
  needs: Permission
  /** Who says the place where no person does. */
  other: string
  /** Saves it, and tells the success. The form says why it throws. */
  onSave: (place: NewPlace) => unknown
}

/** Says where something is: numbers, a click on the map, or where the reader stands. */
export function PlaceForm({ name, place, look, needs, other, onSave }: PlaceFormProps) {
  const [draft, setDraft] = useState(() => draftOf(place))
  const { latitude, longitude } = draft
  const { submit, isBusy, errorOf, rest } = useSubmit(() => onSave(toPlace(draft)))
  const remove = useSubmit(async () => {
    await onSave({ latitude: null, longitude: null })
    setDraft({ place_source: 'typed' })
  })
  const { kind, detail, shape } = look
  const points = useMemo(() => {
    if (latitude === undefined || longitude === undefined) return []
    return [{ id: 'it', lat: latitude, lng: longitude, name, kind, detail, shape }]
  }, [latitude, longitude, name, kind, detail, shape])
  const pick = ({ lat, lng }: { lat: number; lng: number }) =>
    setDraft({ latitude: lat, longitude: lng, altitude: draft.altitude, place_source: 'map' })
  const type = (part: Partial<Draft>) => setDraft({ ...draft, ...part, place_source: 'typed' })
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack gap="sm">
        <MapView label={name} points={points} hasNoList onPick={pick} />
        <Group align="flex-end" gap="sm">
          {fields.map(([field, label, most]) => (
            <NumberInput
              key={field}
              label={label}
              w={130}
              {...(field !== 'altitude' && { min: -most, max: most })}
              decimalScale={6}
              hideControls
              value={draft[field] ?? ''}
              error={errorOf(field)}
              onChange={(next) => type({ [field]: typeof next === 'number' ? next : undefined })}
            />
          ))}
          <PhoneButton onFound={setDraft} />
        </Group>
        <FormError {...rest} />
        <FormError {...remove.rest} />
        <Group gap="sm">
          <ActionButton
            type="submit"
            needs={needs}
            loading={isBusy}
            blockedBy={
              latitude === undefined || longitude === undefined
                ? t('Click the map, or enter latitude and longitude.')
                : undefined
            }
          >
            {t('Save place')}
          </ActionButton>
          {isSaid(place) && (
            <ActionButton
              variant="default"
              needs={needs}
              loading={remove.isBusy}
              onClick={() => void remove.submit()}
            >
              {t('Remove this place')}
            </ActionButton>
          )}
        </Group>
        {isSaid(place) && (
          <Text size="xs" c="dimmed">
            {t('Without it, the place is the one that {other} tells, if it does.', { other })}
          </Text>
        )}
      </Stack>
    </form>
  )
}

const fields = [
  ['latitude', t('Latitude'), 90],
  ['longitude', t('Longitude'), 180],
  ['altitude', t('Altitude (m)'), 20_000],
] as const

function draftOf({ latitude, longitude, altitude }: Place): Draft {
  return {
    latitude: latitude ?? undefined,
    longitude: longitude ?? undefined,
    altitude: altitude ?? undefined,
    place_source: 'typed',
  }
}

export function toPlace({ latitude, longitude, altitude, place_source }: Draft): NewPlace {
  return {
    latitude: latitude ?? null,
    longitude: longitude ?? null,
    altitude: altitude ?? null,
    place_source,
  }
}

/** Milliseconds in which a phone has to find itself. */
const patience = 20_000

const refusals: Record<number, string> = {
  1: t('This browser may not tell its position. Allow it in the settings of the page.'),
  2: t('This device does not know its position now.'),
  3: t('The position was not found in time. Try again under the open sky.'),
}

/** Takes the place where the reader stands, from the GPS of the phone. */
export function PhoneButton({ onFound }: { onFound: (draft: Draft) => void }) {
  const [state, setState] = useState<{ isBusy: boolean; words?: string }>({ isBusy: false })
  const ask = () => {
    setState({ isBusy: true })
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, altitude, accuracy } }) => {
        const height = altitude === null ? undefined : Math.round(altitude)
        onFound({
          latitude: round(latitude),
          longitude: round(longitude),
          altitude: height,
          place_source: 'phone',
        })
        setState({
          isBusy: false,
          words: t('Found within {accuracy} m.', { accuracy: Math.round(accuracy) }),
        })
      },
      ({ code }) =>
        setState({ isBusy: false, words: refusals[code] ?? t('No position was found.') }),
      { enableHighAccuracy: true, timeout: patience, maximumAge: 10_000 },
    )
  }
  if (!('geolocation' in navigator)) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCurrentLocation size={16} aria-hidden />}
        loading={state.isBusy}
        onClick={ask}
      >
        {t('Where I am now')}
      </Button>
      <Text size="sm" role="status">
        {state.words}
      </Text>
    </>
  )
}

/** A decimetre is more than the GPS of a phone knows. */
function round(degrees: number): number {
  return Math.round(degrees * 1_000_000) / 1_000_000
}

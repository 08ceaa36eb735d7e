import { Group, NumberInput, Stack, Text } from '@mantine/core'
import { type FormEvent, useMemo, useState } from 'react'
import { useAction } from '../../api/hooks.ts'
import { conditionOf } from '../../condition/conditions.ts'
import { MapView, placeText } from '../../map/map-view.tsx'
import { useMay } from '../../session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorNotice, tellSuccess } from '../../ui/notices.tsx'
import type { FleetGateway } from './gateway-query.ts'

interface Place {
  lat: number | undefined
  lng: number | undefined
}

/** Where the gateway stands, on a map and as numbers, and how to say otherwise. */
export function GatewayPlace({ gateway }: { gateway: FleetGateway }) {
  const { position } = gateway
  const [draft, setDraft] = useState<Place>({ lat: position?.lat, lng: position?.lng })
  const mayPlace = useMay('manage_gateways')
  const save = useAction('PATCH /fleet/gateways/{gateway_id}', {
    invalidates: ['GET /fleet/gateways', 'GET /fleet/gateways/{gateway_id}'],
    onSuccess: ({ data }) => {
      tellSuccess('Place saved.')
      setDraft({ lat: data.position?.lat, lng: data.position?.lng })
    },
  })
  const send = (next: { lat: number; lng: number } | null) =>
    save.mutate({ path: { gateway_id: String(gateway.id) }, body: { position: next } })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (draft.lat !== undefined && draft.lng !== undefined) send({ lat: draft.lat, lng: draft.lng })
  }
  const { lat, lng } = draft
  const points = useMemo(() => toPoints(gateway, { lat, lng }), [gateway, lat, lng])
  return (
    <Stack>
      <Text size="sm">{sourceText(gateway, mayPlace)}</Text>
      <MapView
        label={gateway.name}
        points={points}
        hasNoList
        {...(mayPlace && { onPick: setDraft })}
      />
      {mayPlace && (
        <form onSubmit={submit}>
          <Group align="flex-end" gap="sm">
            <Degrees
              label="Latitude"
              most={90}
              value={lat}
              onChange={(to) => setDraft({ lng, lat: to })}
            />
            <Degrees
              label="Longitude"
              most={180}
              value={lng}
              onChange={(to) => setDraft({ lat, lng: to })}
            />
            <ActionButton
              type="submit"
              needs="manage_gateways"
              loading={save.isPending}
              blockedBy={
                lat === undefined || lng === undefined
                  ? 'Click the map, or enter latitude and longitude.'
                  : undefined
              }
            >
              Save place
            </ActionButton>
            {position?.source === 'own' && (
              <ActionButton variant="default" needs="manage_gateways" onClick={() => send(null)}>
                Remove this place
              </ActionButton>
            )}
          </Group>
        </form>
      )}
      {save.error && <ErrorNotice error={save.error} />}
    </Stack>
  )
}

function sourceText({ position, network }: FleetGateway, mayPlace: boolean): string {
  if (!position) {
    return `Its place is not known.${mayPlace ? ' Click the map or enter it below.' : ''}`
  }
  const place = placeText(position.lat, position.lng)
  return position.source === 'own'
    ? `${place}, as set here.`
    : `${place}, as ${network.name} last reported. A place set here takes precedence.`
}

function toPoints(gateway: FleetGateway, { lat, lng }: Place) {
  if (lat === undefined || lng === undefined) return []
  const { kind, word } = conditionOf(gateway.verdict)
  return [{ id: String(gateway.id), lat, lng, name: gateway.name, detail: word, kind }]
}

interface DegreesProps {
  label: string
  most: number
  value: number | undefined
  onChange: (value: number | undefined) => void
}

function Degrees({ label, most, value, onChange }: DegreesProps) {
  return (
    <NumberInput
      label={label}
      w={150}
      min={-most}
      max={most}
      decimalScale={6}
      hideControls
      value={value ?? ''}
      onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
    />
  )
}

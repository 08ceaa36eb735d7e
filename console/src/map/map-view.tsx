import { Alert, Text, UnstyledButton } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { t } from '../languages/text.ts'
import { State } from '../ui/state.tsx'
import type { MapLine, MapPoint } from './map-points.ts'
import { MapSkeleton } from './map-skeleton.tsx'
import classes from './map-view.module.css'
import { placeText } from './place-text.ts'

const MapCanvas = lazy(() => import('./map-canvas.tsx'))

interface MapViewProps {
  /** What the map shows, such as "Gateways". */
  label: string
  points: readonly MapPoint[]
  lines?: readonly MapLine[]
  selected?: string | undefined
  onSelect?: (id: string) => void
  /** A click on the map chooses a place instead. */
  onPick?: (place: { lat: number; lng: number }) => void
  /** Leaves the list out if the page has one already. */
  hasNoList?: boolean
  /** For a card: it is lower. */
  isSmall?: boolean
}

/** Rows of the list: more would be found by a filter, not by scrolling. */
const mostListed = 200

const noLines: readonly MapLine[] = []

/** A map, and next to it the same points as a list, for keyboards and screen readers. */
export function MapView(props: MapViewProps) {
  const { label, points, lines = noLines, selected, onSelect, onPick, hasNoList, isSmall } = props
  const [failure, setFailure] = useState<string>()
  const [clicked, setClicked] = useState<string>()
  const [goTo, setGoTo] = useState<{ id: string }>()
  const shown = selected ?? clicked
  const select = (id: string) => {
    setClicked(id)
    onSelect?.(id)
  }
  // What was clicked on the map is in sight already.
  const selectInList = (id: string) => {
    select(id)
    setGoTo({ id })
  }
  return (
    <div
      className={classes.view}
      data-alone={hasNoList || undefined}
      data-small={isSmall || undefined}
    >
      <div className={classes.map}>
        {failure ? (
          <Alert color="gray" title={t('No map')}>
            {t('{failure} The list has the same places.', { failure })}
          </Alert>
        ) : (
          <Suspense fallback={<MapSkeleton />}>
            <MapCanvas
              label={t('Map: {label}', { label })}
              points={points}
              lines={lines}
              selected={shown}
              goTo={goTo}
              onSelect={select}
              onPick={onPick}
              onFailure={setFailure}
            />
          </Suspense>
        )}
      </div>
      {!hasNoList && (
        <PlaceList label={label} points={points} selected={shown} onSelect={selectInList} />
      )}
    </div>
  )
}

interface PlaceListProps {
  label: string
  points: readonly MapPoint[]
  selected: string | undefined
  onSelect: (id: string) => void
}

function PlaceList({ label, points, selected, onSelect }: PlaceListProps) {
  const listed = points.slice(0, mostListed)
  return (
    <div className={classes.list}>
      <ul aria-label={t('{label} on the map', { label })}>
        {listed.map(({ id, name, detail, kind, lat, lng }) => (
          <li key={id}>
            <UnstyledButton
              className={classes.place}
              aria-pressed={id === selected}
              onClick={() => onSelect(id)}
            >
              <span className={classes.name}>{name}</span>
              <span className={classes.detail}>
                {kind && detail ? <State kind={kind}>{detail}</State> : detail}
              </span>
              <span className={classes.coordinates}>{placeText(lat, lng)}</span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {points.length > listed.length && (
        <Text size="xs" c="dimmed" p="xs">
          {t('The first {mostListed} of {count}. A filter finds the others.', {
            mostListed,
            count: points.length,
          })}
        </Text>
      )}
    </div>
  )
}

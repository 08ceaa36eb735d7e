import { t } from '../languages/text.ts'
import 'maplibre-gl/dist/maplibre-gl.css'
import { Anchor, useComputedColorScheme } from '@mantine/core'
import type { FeatureCollection } from 'geojson'
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { createMap, fitTo, listenTo, watchStreets, whenPointsAreDrawn } from './map-instance.ts'
import type { MapLine, MapPoint } from './map-points.ts'
import { MapSkeleton } from './map-skeleton.tsx'
import { makeStyle } from './map-style.ts'
import classes from './map-view.module.css'
import { partingZoom, placeZoom } from './map-zoom.ts'
import { loadOutline } from './outline.ts'
import { openStreets, type Streets } from './streets.ts'
import { tiles } from './tiles.ts'

interface MapCanvasProps {
  label: string
  points: readonly MapPoint[]
  lines: readonly MapLine[]
  selected: string | undefined
  /** Where the view goes: each new object is a new wish. */
  goTo: { id: string } | undefined
  onSelect: (id: string) => void
  /** Makes a click on the map a choice of a place. */
  onPick: ((place: { lat: number; lng: number }) => void) | undefined
  /** Called when the browser cannot draw a map. */
  onFailure: (reason: string) => void
}

/** The drawn map. The list next to it says the same to those who do not see it. */
export default function MapCanvas(props: MapCanvasProps) {
  const { label, points, lines, selected, goTo, onSelect, onPick, onFailure } = props
  const place = useRef<HTMLDivElement>(null)
  const [map, setMap] = useState<MapLibre>()
  const scheme = useComputedColorScheme('light')
  const { streets, outline, isLost, lose } = useBase()
  const [isDrawn, setDrawn] = useState(false)
  const handlers = useRef({ onSelect, onPick })
  handlers.current = { onSelect, onPick }

  // biome-ignore lint/correctness/useExhaustiveDependencies: a map is made once
  useEffect(() => {
    if (!place.current) return
    const style = makeStyle({ scheme, points, lines, selected, outline, streets })
    let made: MapLibre
    try {
      made = createMap(place.current, style, label)
    } catch {
      onFailure(t('This browser cannot draw maps: WebGL is off.'))
      return
    }
    fitTo(made, points)
    listenTo(made, handlers)
    watchStreets(made, lose)
    whenPointsAreDrawn(made, () => setDrawn(true))
    setMap(made)
    return () => {
      setMap(undefined)
      made.remove()
    }
  }, [])

  useEffect(() => {
    map?.setStyle(makeStyle({ scheme, points, lines, selected, outline, streets }))
  }, [map, scheme, points, lines, selected, outline, streets])

  useFit(map, points, goTo)

  return (
    <>
      <div ref={place} className={classes.canvas} data-picks={onPick ? true : undefined} />
      {!isDrawn && <MapSkeleton />}
      <Attribution isLost={isLost} text={streets?.attribution} />
    </>
  )
}

/** Shows all points when the first come, and goes to the one that is wished for. */
function useFit(
  map: MapLibre | undefined,
  points: readonly MapPoint[],
  goTo: { id: string } | undefined,
): void {
  const hasPoints = points.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: later points leave the view alone
  useEffect(() => {
    if (map && hasPoints) fitTo(map, points)
  }, [map, hasPoints])
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    const point = points.find(({ id }) => id === goTo?.id)
    if (!map || !point) return
    const place = placeZoom(tiles !== undefined)
    const zoom = Math.max(map.getZoom(), place, partingZoom(point, points))
    const center: [number, number] = [point.lng, point.lat]
    // What is in sight need not move.
    if (zoom === map.getZoom() && map.getBounds().contains(center)) return
    map.easeTo({ center, zoom, duration: 400 })
  }, [map, goTo])
}

/** Milliseconds after which what could not be loaded is tried again. */
const pause = 60_000

/** The streets, or the outline where there are none. */
function useBase() {
  const [streets, setStreets] = useState<Streets>()
  const [isLost, setLost] = useState(false)
  const outline = useOutline(tiles === undefined || isLost)
  useEffect(() => {
    if (!tiles || isLost) return
    let isGone = false
    openStreets(tiles).then(
      (opened) => isGone || setStreets(opened),
      () => isGone || setLost(true),
    )
    return () => {
      isGone = true
    }
  }, [isLost])
  useEffect(() => {
    if (!isLost) return
    const tryAgain = () => setLost(false)
    const timer = setTimeout(tryAgain, pause)
    addEventListener('online', tryAgain)
    return () => {
      clearTimeout(timer)
      removeEventListener('online', tryAgain)
    }
  }, [isLost])
  return { streets: isLost ? undefined : streets, outline, isLost, lose: () => setLost(true) }
}

/** Who made the map, always in sight, or why it has no streets now. */
function Attribution({ isLost, text }: { isLost: boolean; text: string | undefined }) {
  if (isLost) {
    return (
      <span className={classes.attribution} role="status">
        {t('The streets cannot be loaded now. This is an outline.')}
      </span>
    )
  }
  if (!text) return null
  return (
    <span className={classes.attribution}>
      {text.includes('OpenStreetMap') ? (
        <Anchor
          inherit
          c="inherit"
          underline="always"
          href="https://www.openstreetmap.org/copyright"
          target="_blank"
          rel="noreferrer"
        >
          {text}
        </Anchor>
      ) : (
        text
      )}
    </span>
  )
}

function useOutline(isWanted: boolean): FeatureCollection | undefined {
  const [outline, setOutline] = useState<FeatureCollection>()
  useEffect(() => {
    if (!isWanted) return
    let isGone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = () =>
      loadOutline().then(
        (loaded) => isGone || setOutline(loaded),
        // Without the outline the points are still there.
        () => {
          if (!isGone) timer = setTimeout(load, pause)
        },
      )
    void load()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [isWanted])
  return outline
}

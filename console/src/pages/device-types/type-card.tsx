import { Badge, Group, Paper, Text } from '@mantine/core'
import type { Schemas } from '../../api/generated.ts'
import { FramePicture } from '../../frames/frame-picture.tsx'
import { Link } from '../../ui/link.tsx'
import classes from './device-types.module.css'

const formatNames = { built_in: 'Built in', ts013: 'Your codec', cayenne_lpp: 'CayenneLPP' }

/** A type in the catalogue, with a frame of it as a picture. */
export function TypeCard({ type }: { type: Schemas['CatalogueType'] }) {
  const numbers = [type.part_number, ...type.other_part_numbers].filter(Boolean)
  const measures = type.measures.map(({ key, unit }) => (unit ? `${key} (${unit})` : key))
  return (
    <Paper withBorder p="sm" component="li" className={classes.card}>
      <Group justify="space-between" align="flex-start" gap="xs" wrap="nowrap">
        <Link to="/device-types/$id" params={{ id: String(type.id) }} fw={600}>
          {type.type_name}
        </Link>
        <Badge variant="default" className={classes.badge}>
          {formatNames[type.format]}
        </Badge>
      </Group>
      {numbers.length > 0 && (
        <Text size="xs" c="dimmed" ff="monospace">
          {numbers.join(', ')}
        </Text>
      )}
      {measures.length > 0 && (
        <Text size="xs" lineClamp={2}>
          {measures.join(', ')}
        </Text>
      )}
      {type.example && (
        <div className={classes.example}>
          <Text size="xs" c="dimmed">
            {type.example.about}
          </Text>
          <FramePicture parts={type.example.frame.parts} />
        </div>
      )}
    </Paper>
  )
}

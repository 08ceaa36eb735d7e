import { Button, FileButton, Group, Paper, Stack, Text, Textarea } from '@mantine/core'
import { IconCamera, IconPhoto } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '../../../languages/text.ts'
import { Notice } from '../../../ui/notice.tsx'
import { codeSource, readLabel } from '../label/label-text.ts'
import type { Finding, LabelField } from '../label/label-tokens.ts'
import { CameraReader } from './camera-reader.tsx'

/** A value for a field of the form, and the words that say where it comes from. */
export interface Scanned {
  field: LabelField
  value: string
  source: string
}

interface ScanPanelProps {
  /** With the ProfileID of a code by TR005, 8 digits, if it has one. */
  onScan: (values: Scanned[], profileId: string | undefined) => void
  /** The camera looks from the start. */
  hasCamera?: boolean
  /** After a code was read by it. */
  onCamera?: () => void
}

interface Outcome {
  title: string
  notes: string[]
  isGood: boolean
}

/** Takes EUIs and keys from a QR code, by camera or picture, or from the text of a label. */
export function ScanPanel({ onScan, hasCamera = false, onCamera }: ScanPanelProps) {
  const [isCamera, setCamera] = useState(hasCamera)
  const [isReading, setReading] = useState(false)
  const [outcome, setOutcome] = useState<Outcome>()
  const take = (found: Found) => {
    setOutcome(found.outcome)
    if (found.values.length > 0) onScan(found.values, found.profileId)
  }
  const readPicture = async (picture: File | null) => {
    if (!picture) return
    setReading(true)
    take(await readPictureFile(picture))
    setReading(false)
  }
  return (
    <Paper withBorder p="sm" component="section" aria-label={t('Scan or paste')}>
      <Stack gap="xs">
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconCamera size={16} aria-hidden />}
            aria-expanded={isCamera}
            onClick={() => setCamera(!isCamera)}
          >
            {isCamera ? t('Stop the camera') : t('Scan the QR code')}
          </Button>
          <FileButton onChange={(picture) => void readPicture(picture)} accept="image/*">
            {(props) => (
              <Button
                {...props}
                variant="default"
                loading={isReading}
                leftSection={<IconPhoto size={16} aria-hidden />}
              >
                {t('Picture of the code')}
              </Button>
            )}
          </FileButton>
        </Group>
        {isCamera && (
          <CameraReader
            onCodes={(codes) => {
              const found = readTexts(codes)
              take(found)
              if (found.values.length === 0) return
              setCamera(false)
              onCamera?.()
            }}
          />
        )}
        <Textarea
          label={t('Or paste the text of the label')}
          placeholder={t('DevEUI: 00-AA-…  AppKey: 0011…')}
          autosize
          minRows={1}
          maxRows={6}
          spellCheck={false}
          onChange={({ currentTarget: { value } }) => {
            if (value.trim() !== '') take(readTexts([value]))
          }}
        />
        <div role="status">{outcome && <ScanOutcome outcome={outcome} />}</div>
      </Stack>
    </Paper>
  )
}

function ScanOutcome({ outcome: { title, notes, isGood } }: { outcome: Outcome }) {
  return (
    <Notice kind={isGood ? 'good' : 'warn'} title={title}>
      {notes.map((note) => (
        <Text key={note} size="sm">
          {note}
        </Text>
      ))}
    </Notice>
  )
}

interface Found {
  values: Scanned[]
  profileId?: string | undefined
  outcome: Outcome
}

const failed = (title: string, note: string): Found => ({
  values: [],
  outcome: { title, notes: [note], isGood: false },
})

/** The reader is large, so it is loaded when a picture is chosen. */
async function readPictureFile(picture: File): Promise<Found> {
  try {
    const { readCodes } = await import('../label/qr-reader.ts')
    const texts = await readCodes(picture)
    return texts.length === 0
      ? failed(
          t('No code in the picture'),
          t('Take it from nearer, sharp and without reflections.'),
        )
      : readTexts(texts)
  } catch {
    return failed(t('The picture cannot be read'), t('Choose a PNG or JPEG file.'))
  }
}

/** Every doubt about a code or a text is shown with what was read from it. */
function readTexts(texts: readonly string[]): Found {
  const { findings, doubts, code } = readLabel(texts.join('\n'))
  const words = findings.map(describe)
  if (words.length + doubts.length === 0) {
    return failed(t('No device data found'), t('EUIs have 16 digits of 0 to F, keys 32.'))
  }
  const hasKey = findings.some(({ field }) => field === 'appKey')
  const notes = [
    ...doubts,
    ...(code?.serialNumber
      ? [t('Serial number {serialNumber}.', { serialNumber: code.serialNumber })]
      : []),
    ...(code?.ownerToken ? [t('It also holds a token to claim the device.')] : []),
    ...(code && !hasKey ? [t('A code holds no key: enter it below.')] : []),
  ]
  const title = code
    ? t('DevEUI and JoinEUI were read from the QR code')
    : findings.length > 0
      ? t('This was taken from the text')
      : t('Please check the text')
  return {
    values: findings.map(({ field, value, source }) => {
      return { field, value, source: fromWords(source) }
    }),
    profileId: code?.vendorId && code.profileId && code.vendorId + code.profileId,
    outcome: { title, notes: [...words, ...notes], isGood: doubts.length === 0 },
  }
}

const labels: Record<LabelField, string> = {
  devEui: 'DevEUI',
  joinEui: 'JoinEUI',
  appKey: t('Device key'),
}

function describe({ field, value, source, isNamed }: Finding): string {
  const from = isNamed ? fromWords(source) : t('by its number of digits')
  return `${labels[field]} ${field === 'appKey' ? t('(32 digits)') : value}, ${from}`
}

function fromWords(source: string): string {
  return source === codeSource
    ? t('from the QR code')
    : t('from “{text}”', { text: shorten(source) })
}

function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text
}

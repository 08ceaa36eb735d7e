import { Button, FileButton, Group, NumberInput, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { t } from '../languages/text.ts'
import classes from './plan-view.module.css'
import type { Pdf } from './read-pdf.ts'

interface PlanFileProps {
  label: string
  /** The picture, and what its file is called; undefined while there is none. */
  onChange: (picture: Blob | undefined, name: string) => void
}

/** Chooses the picture of a floor plan: a file, or a page of a PDF, which is drawn here. */
export function PlanFile({ label, onChange }: PlanFileProps) {
  const { name, fault, isBusy, pages, page, preview, choose, turnTo } = usePlanFile(onChange)
  return (
    <>
      <Group gap="sm">
        <FileButton
          accept="image/png,image/jpeg,image/svg+xml,application/pdf"
          onChange={(file) => file && choose(file)}
        >
          {(props) => (
            <Button variant="default" loading={isBusy} {...props}>
              {label}
            </Button>
          )}
        </FileButton>
        <Text size="sm" role="status">
          {name ?? t('PNG, JPEG or SVG, up to 3 MB, or a PDF.')}
        </Text>
      </Group>
      {pages > 1 && (
        <NumberInput
          label={t('Page')}
          description={t('1 to {pages}', { pages })}
          value={page}
          min={1}
          max={pages}
          clampBehavior="strict"
          allowDecimal={false}
          allowNegative={false}
          maw={120}
          onChange={(next) => typeof next === 'number' && next !== page && turnTo(next)}
        />
      )}
      {preview !== undefined && (
        <img
          src={preview}
          alt={t('Page {page} of {name}', { page, name })}
          className={classes.preview}
        />
      )}
      {fault !== undefined && (
        <Text size="sm" c="red" role="alert">
          {fault}
        </Text>
      )}
    </>
  )
}

function usePlanFile(onChange: PlanFileProps['onChange']) {
  const [name, setName] = useState<string>()
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [pdf, setPdf] = useState<Pdf>()
  const [page, setPage] = useState(1)
  const [preview, setPreview] = useState<string>()
  useEffect(() => () => pdf?.close(), [pdf])
  useEffect(() => () => URL.revokeObjectURL(preview ?? ''), [preview])
  /** Counts the wishes: what was drawn for an earlier one is left. */
  const turn = useRef(0)

  const draw = async (open: () => Promise<Pdf>, number: number, title: string) => {
    turn.current += 1
    const own = turn.current
    const isLast = () => own === turn.current
    setBusy(true)
    setFault(undefined)
    setPreview(undefined)
    setPage(number)
    onChange(undefined, title)
    try {
      const opened = await open()
      const picture = await opened.draw(number)
      if (!isLast()) return
      setPreview(URL.createObjectURL(picture))
      onChange(picture, title)
    } catch (error) {
      if (isLast()) setFault(error instanceof Error ? error.message : t('The PDF cannot be read.'))
    }
    if (isLast()) setBusy(false)
  }
  const choose = (file: File) => {
    setName(file.name)
    setPdf(undefined)
    const title = titleOf(file.name)
    if (isPdf(file)) {
      const open = async () => {
        const { openPdf } = await import('./read-pdf.ts')
        const opened = await openPdf(file)
        setPdf(opened)
        return opened
      }
      return void draw(open, 1, title)
    }
    turn.current += 1
    setBusy(false)
    setFault(undefined)
    setPreview(undefined)
    onChange(file, title)
  }
  const turnTo = (number: number) => {
    if (pdf) void draw(async () => pdf, number, titleOf(name ?? ''))
  }
  return { ...{ name, fault, isBusy, page, preview, choose, turnTo }, pages: pdf?.pages ?? 0 }
}

function isPdf({ type, name }: File): boolean {
  return type === 'application/pdf' || name.toLowerCase().endsWith('.pdf')
}

function titleOf(name: string): string {
  return name.replace(/\.\w+$/, '')
}

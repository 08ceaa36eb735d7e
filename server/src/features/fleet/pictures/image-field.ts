import { z } from 'zod'
import { type Picture, readPicture } from './picture.ts'

const words = {
  drawings: 'PNG, JPEG or SVG',
  photos: 'PNG or JPEG',
} as const

/** A picture of a request, in base64. What it may not have is taken out of it. */
export function imageField(label: string, mostBytes: number, takes: keyof typeof words) {
  const most = mostBytes >= 1024 * 1024 ? `${mostBytes / 1024 / 1024} MB` : `${mostBytes / 1024} kB`
  const notBase64 = `The ${label} must be the base64 text of a ${words[takes]} file.`
  const read = (text: string) => {
    const bytes = Buffer.from(text, 'base64')
    if (bytes.length > mostBytes) return { fault: `The ${label} may not have more than ${most}.` }
    const picture = readPicture(bytes)
    const isDrawing = 'type' in picture && picture.type === 'image/svg+xml'
    return isDrawing && takes === 'photos' ? { fault: notBase64 } : picture
  }
  return z
    .string({ error: notBase64 })
    .regex(/^[A-Za-z0-9+/\s]+(?:=\s*){0,2}$/, { error: notBase64, abort: true })
    .transform((text, context): Picture => {
      const picture = read(text)
      if (!('fault' in picture)) return picture
      context.addIssue({ code: 'custom', message: picture.fault })
      return z.NEVER
    })
    .meta({
      type: 'string',
      description: `The file in base64: ${words[takes]}, up to ${most}. Only what draws it is kept: no scripts, links, notes or places.`,
    })
}

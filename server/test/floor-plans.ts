/** For tests: a floor plan as requests send it. */
export function svgPlan(content = '<rect width="4" height="3"/>', root = ''): string {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 3" ${root}>${content}</svg>`
  return Buffer.from(text).toString('base64')
}

export const tinyPlan = svgPlan()

/** A photo: a PNG of one pixel. */
export const tinyPhoto =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

// Treats "water-resistant", "water resistant" and "waterresistant" as one word.
const PARTS =
  /\b(water|rain|wind|dust|shock|scratch|splash|weather|heat)[- ](proof|resistant|repellent|tight|repelling)\b/gi

export function joinCompounds(text: string): string {
  return text.replace(PARTS, '$1$2')
}

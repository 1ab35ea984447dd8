// Treats "water-resistant", "water resistant" and "waterresistant" as one word.
const parts =
  /\b(water|rain|wind|dust|shock|scratch|splash|weather|heat)[- ](proof|resistant|repellent|tight|repelling)\b/gi

export function joinCompounds(text: string): string {
  return text.replace(parts, '$1$2')
}

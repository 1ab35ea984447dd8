// Words too common to tell one passage from another.
const lists: Record<string, string> = {
  en: `a about am an and any are as at be been but by can could did do does for from get got had has have hi how i if in
    into is it its just ll me my of on or our please re s should so some such t than that the their them then there
    these they this those to too us ve was we were what when where which who why will with would you your`,
  de: `aber als am an auch auf aus bei bin bis bist da das dass dein dem den der des die dies diese dieser du durch ein
    eine einem einen einer eines er es euch für fur habe haben hat hatte ich ihm ihn ihnen ihr im in ist ja kann konnen
    können man mein mich mir mit muss nach nicht noch nur oder ob ohne seid sein sich sie sind so über uber um und uns
    unser vom von vor war waren warum was wann welche welcher wenn wer werden wie wir wird wo zu zum zur`,
  fr: `a au aux avec ce ces cette comment dans de des du elle en est et eu il ils je la le les leur lui ma mais me mes
    mon ne nos notre nous on ou par pas pour qu que quel quelle qui quand sa se ses son sont sur ta te tu un une vos
    votre vous`,
  es: `al algo como con cual cuando de del desde donde el ella en entre es esta este hay la las le lo los mas me mi muy
    no nos o para pero por que quien se si sin son su sus te tu un una y ya`,
}

export const stopWords: Record<string, Set<string>> = Object.fromEntries(
  Object.entries(lists).map(([language, list]) => [language, new Set(list.split(/\s+/))]),
)

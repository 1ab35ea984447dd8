import type { ModelTexts, Partially } from '../texts-type.ts'

export const model: Partially<ModelTexts['model']> = {
  title: 'Modèle de langage',
  about:
    'Facultatif. Un modèle de langage rédige les réponses à partir des passages trouvés et les cite. Sans modèle, les réponses sont extraites de vos contenus.',
  enabled: 'Utiliser un modèle de langage',
  provider: 'Fournisseur',
  providers: { openai_compatible: 'Compatible OpenAI', anthropic: 'Anthropic' },
  custom: 'Autre fournisseur',
  protocol: 'Protocole',
  test: 'Tester',
  testWorks: (ms) => `Ça marche. Réponse en ${ms} ms :`,
  testFailed: (reason) => `Le test a échoué : ${reason}`,
  instructions: 'Instructions et personnalité',
  instructionsHint:
    'Par exemple : « Tu t’appelles Kim. Réponds en deux phrases au plus. » Le bot ne dit toujours que ce que disent vos contenus.',
  baseUrl: 'URL de base',
  baseUrlHint: 'Par exemple https://api.openai.com/v1 ou http://localhost:11434/v1',
  model: 'Modèle',
  key: 'Clé API',
  keySet: (end) => `Une clé se terminant par ${end} est définie. Laissez vide pour la garder.`,
  keyHint: 'Stockée chiffrée et plus jamais affichée.',
  answers: 'Rédiger les réponses',
  answersHint:
    'Si cette option est désactivée, les réponses sont extraites de vos contenus et le modèle ne fait que générer des questions (ci-dessous).',
  citations: 'Exiger des citations',
  temperature: 'Température',
  temperatureHint:
    'Plus basse : plus factuel ; plus haute : plus créatif. Laissez vide pour la valeur par défaut du fournisseur.',
  timeout: 'Délai maximal (secondes)',
  timeoutHint: 'Si le modèle met plus de temps, la réponse est extraite de vos contenus.',
  maxTokens: 'Longueur maximale des réponses (tokens)',
  dailyLimit: 'Limite d’appels par jour',
  dailyLimitHint:
    'Une fois la limite atteinte, les réponses sont extraites de vos contenus jusqu’à minuit UTC. Laissez vide pour utiliser les appels restants de l’espace de travail.',
  inputPrice: 'Prix par million de tokens en entrée',
  outputPrice: 'Prix par million de tokens en sortie',
  usage: '30 derniers jours',
  calls: 'Appels',
  callsToday: 'Aujourd’hui / limite par jour',
  limitReached:
    'La limite d’appels par jour est atteinte. Les réponses sont extraites de vos contenus jusqu’à minuit UTC.',
  failed: 'En échec',
  tokens: 'Tokens en entrée / sortie',
  cost: 'Coût',
  turnOff: 'Désactiver',
  turnOffTitle: 'Désactiver le modèle de langage ?',
  turnOffAbout:
    'Ses paramètres et sa clé API seront supprimés. Les réponses seront de nouveau extraites de vos contenus.',
  getKey: 'Créer une clé API',
  context: 'Contenus par question (tokens)',
  contextHint: 'Quantité approximative de vos pages et produits que le modèle lit pour une question.',
  chooseProvider: 'Quel fournisseur utilisez-vous ? Ollama, vLLM et LM Studio fonctionnent sur votre propre matériel.',
  more: 'Autres réglages',
}

export const questions: Partially<ModelTexts['questions']> = {
  title: 'Questions générées',
  about:
    'Le modèle génère les questions auxquelles répond chaque section de vos contenus, pour que les visiteurs qui emploient d’autres mots la trouvent. Aucun appel au modèle n’est nécessaire par question. Les questions générées ne sont jamais affichées.',
  enabled: 'Générer des questions pour les sections nouvelles et modifiées',
  enabledHint: 'S’exécute en arrière-plan. Si cette option est désactivée, les questions existantes restent utilisées.',
  dailyLimit: 'Limite d’appels par jour',
  status: { off: 'Désactivé', writing: 'Génération', waiting: 'En attente', done: 'À jour' },
  progress: (done, all) => `${done} sur ${all} ${all === '0' || all === '1' ? 'section' : 'sections'}`,
  remaining: 'Restant (estimation)',
  spent: 'Utilisé jusqu’ici',
  tokens: (calls, input, output) =>
    `${calls === '0' || calls === '1' ? `${calls} appel` : `${calls} appels`}, ${input} tokens en entrée, ${output} tokens en sortie`,
  cost: (cost) => `coût : ${cost}`,
  failed: (reason) => `Le dernier appel a échoué : ${reason}.`,
  limitReached: 'La limite d’appels par jour est atteinte.',
  resumes: (time) => `Reprise : ${time}.`,
  clear: 'Supprimer les questions',
  clearTitle: 'Supprimer toutes les questions générées ?',
  clearAbout:
    'Les sections sont de nouveau trouvées par leurs propres mots, et la génération est désactivée. Les coûts ne sont pas remboursés.',
}

export const modelProblems: Partially<ModelTexts['modelProblems']> = {
  reasons: {
    unauthorized: 'le fournisseur a refusé la clé API',
    not_found: 'l’URL de base est erronée',
    unknown_model: 'le fournisseur n’a aucun modèle de ce nom',
    no_credit: 'le compte chez le fournisseur n’a plus de crédit',
    connection: 'le fournisseur n’a pas pu être joint',
    timeout: 'le modèle a dépassé le délai',
    rate_limited: 'la limite de requêtes du fournisseur est atteinte',
    provider_error: 'le fournisseur a renvoyé une erreur',
    misconfigured: 'les paramètres sont incomplets',
    daily_limit: 'la limite d’appels par jour est atteinte',
    first_token_timeout: 'le modèle a dépassé le délai',
    bad_request: 'le fournisseur a refusé la requête',
    no_answer: 'le modèle a indiqué ne pas avoir trouvé de réponse',
    not_grounded: 'le modèle n’a cité aucun passage ; désactivez « Exiger des citations » pour les petits modèles',
    empty:
      'le modèle n’a renvoyé aucun texte ; augmentez la longueur maximale des réponses pour les modèles qui raisonnent d’abord',
    refused: 'le modèle a refusé de répondre',
    interrupted: 'la réponse s’est interrompue',
    broken_response: 'la réponse du fournisseur était incomplète',
    too_long: 'la réponse était trop longue',
    unavailable: 'le fournisseur n’a pas pu être utilisé',
    malformed: 'la réponse du modèle avait un format inattendu',
  },
  steps: {
    wrong_key: 'Vérifiez la clé API : elle est peut-être mal saisie, révoquée ou non autorisée pour ce modèle.',
    no_credit: 'Ajoutez du crédit ou un moyen de paiement à votre compte chez le fournisseur.',
    unknown_model:
      'Vérifiez le nom du modèle auprès du fournisseur. Les serveurs locaux doivent d’abord avoir chargé le modèle.',
    wrong_address: 'Un serveur a répondu, mais pas à ce chemin. La plupart des URL de base se terminent par /v1.',
    unreachable: 'Vérifiez l’URL de base, et que le serveur fonctionne et est joignable depuis la machine de Docent.',
    rate_limited: 'Patientez un peu, ou augmentez la limite chez le fournisseur.',
    too_slow: 'Augmentez le délai maximal, ou choisissez un modèle plus petit.',
    request_rejected: 'Le fournisseur n’a pas accepté la requête. Essayez sans température.',
    provider_error: 'Le fournisseur rencontre un problème. Réessayez plus tard.',
    unusable_reply: 'La réponse n’était pas celle d’un modèle de langage. Vérifiez l’URL de base et le protocole.',
    empty_reply:
      'Le modèle a été joint, mais n’a écrit aucun texte. Les modèles qui raisonnent d’abord peuvent épuiser la longueur maximale avant de répondre : augmentez-la, ou choisissez un autre modèle.',
    no_citation:
      'Le modèle a répondu sans citation. Désactivez « Exiger des citations », ou choisissez un modèle plus grand.',
    no_answer: 'Le modèle n’a pas trouvé la réponse à une question simple. Choisissez un modèle plus grand.',
    daily_limit: 'La limite d’appels par jour est atteinte. Augmentez-la, ou réessayez demain.',
    misconfigured: 'Saisissez de nouveau la clé API.',
  },
  retryAfter: (seconds) =>
    `Le fournisseur pourra être interrogé de nouveau dans ${seconds} ${seconds === '0' || seconds === '1' ? 'seconde' : 'secondes'}.`,
}

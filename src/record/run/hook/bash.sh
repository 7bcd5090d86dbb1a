# Read in place of ~/.bashrc, which comes first.
[[ -z '@PLAIN@' ]] || set +o histexpand
if [[ -n '@LOGIN@' ]]; then
    [[ ! -r /etc/profile ]] || . /etc/profile
    for __ts_file in ~/.bash_profile ~/.bash_login ~/.profile; do
        if [[ -r $__ts_file ]]; then
            . "$__ts_file"
            break
        fi
    done
    unset __ts_file
elif [[ -r ~/.bashrc ]]; then
    . ~/.bashrc
fi

# Whoever is not a person means `!` as it is typed; `^old^new` is no other command by accident. Files
# that ask for more have it.
if [[ -n '@PLAIN@' && ! -o histexpand ]]; then
    [[ -n ${histchars+set} ]] || histchars=$'\x1f^#'
    set -o histexpand
fi

# PS0 and `local -` came with 4.4.
__ts_version=$((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1]))
if (( __ts_version >= 404 )); then
    __ts_count=0
    __ts_next=0
    __ts_told=1
    __ts_first='{ __ts_done; } 2>/dev/null'
    __ts_last='{ __ts_mark; } 2>/dev/null'

    # The command before the prompt ended. Options of the user would print or break this.
    __ts_done() {
        builtin local __ts_status=$? __ts_flags=$-
        { builtin local -; builtin set +eux; } 2>/dev/null
        __ts_count=$((__ts_count + 1))
        __ts_told=1
        builtin printf '\e]7717;D;@NONCE@;%d;%d\a' "$__ts_count" "$__ts_status" >/dev/tty
        # With `set -e` a status would end the shell.
        [[ $__ts_flags == *e* ]] || return "$__ts_status"
    }

    # Whoever sets the prompt anew takes the marks out of it. What `$(…)` counts is forgotten, so the
    # prompt itself counts.
    __ts_mark() {
        builtin local __ts_status=$? __ts_flags=$-
        { builtin local -; builtin set +eux; } 2>/dev/null
        # So does whoever puts something before or behind them, as activated environments do.
        # Where nothing was run before the prompt, that has the status as well.
        builtin local __ts_begin='\[\e]7717;B;@NONCE@;$((__ts_count+=1));$?\a\]'
        builtin local __ts_end='\[\e]7717;P;@NONCE@\a\]'
        if [[ ${PS1-} != "$__ts_begin"*"$__ts_end" ]]; then
            PS1=${PS1-}
            PS1=${PS1//"$__ts_begin"}
            PS1=$__ts_begin${PS1//"$__ts_end"}$__ts_end
        fi
        [[ ${PS2-} == *'7717;Q;'* ]] || PS2="${PS2-}"'\[\e]7717;Q;@NONCE@\a\]'
        # Without promptvars nothing in it would be done, and all of it be shown.
        if ! builtin shopt -q promptvars; then
            [[ ${PS0-} != *__ts_start* ]] || PS0=
        elif [[ ${PS0-} != *__ts_start* ]]; then
            PS0="${PS0-}"'${__ts_next:$((__ts_count+=1)):0}$({ __ts_start; } 2>/dev/null)'
            # Whoever sets all that is run before a prompt anew takes us out of it.
            if [[ -n '@PLAIN@' ]] && (( __ts_version >= 501 )) &&
                [[ $(builtin declare -p PROMPT_COMMAND 2>/dev/null) != 'declare -'*([!\ ])r* ]]; then
                PS0+='${__ts_last#"${PROMPT_COMMAND[99]:=$__ts_last}"}'
            fi
        fi
        builtin export -n PS0 PS1 PS2
        __ts_next='\!'
        __ts_next=${__ts_next@P}
        if [[ -n '@PLAIN@' && -z $__ts_told ]]; then
            # So does whoever sets the first of it.
            (exit "$__ts_status")
            __ts_done
            (( __ts_version < 501 )) || __ts_arm
        fi
        __ts_told=
        [[ $__ts_flags == *e* ]] || return "$__ts_status"
    }

    # First to be run before a prompt, and last. PS0 knows where the last is.
    __ts_arm() {
        builtin local __ts_item
        builtin local -a __ts_others
        __ts_others=()
        for __ts_item in "${PROMPT_COMMAND[@]}"; do
            [[ -z $__ts_item || $__ts_item == "$__ts_first" || $__ts_item == "$__ts_last" ]] ||
                __ts_others+=("$__ts_item")
        done
        [[ -n ${bash_preexec_imported-} ]] || __ts_others=("$__ts_first" "${__ts_others[@]}")
        PROMPT_COMMAND=("${__ts_others[@]}")
        PROMPT_COMMAND[99]=$__ts_last
    }

    # A command starts. What was typed is in the history, unless it was told to leave it out.
    __ts_start() {
        { builtin local -; builtin set +eux; } 2>/dev/null
        builtin local __ts_line __ts_command= "__ts_folder=$PWD"
        __ts_line=$(HISTTIMEFORMAT= builtin history 1)
        if [[ $__ts_line =~ ^\ *([0-9]+)[*\ ]\ (.*)$ ]] && (( BASH_REMATCH[1] >= __ts_next )); then
            __ts_command=${BASH_REMATCH[2]}
        fi
        __ts_encode "$__ts_command"
        __ts_command=$__ts_encoded
        __ts_encode "$__ts_folder"
        builtin printf '\e]7717;C;@NONCE@;%d;%s;%s\a' "$__ts_count" "$__ts_encoded" "$__ts_command" \
            >/dev/tty
    }

    __ts_encode() {
        __ts_encoded=
        (( ${#1} <= 6000 )) || return 0
        __ts_encoded=${1//'%'/'%25'}
        __ts_encoded=${__ts_encoded//';'/'%3B'}
        __ts_encoded=${__ts_encoded//$'\n'/'%0A'}
        __ts_encoded=${__ts_encoded//$'\t'/'%09'}
        __ts_encoded=${__ts_encoded//[[:cntrl:]]/'?'}
    }

    # Where nothing can be run before a prompt, the prompt alone tells. What follows ends the file
    # where it is not allowed.
    { __ts_mark; } 2>/dev/null

    if [[ -n ${bash_preexec_imported-} ]]; then
        # It would move itself in front of us.
        precmd_functions=(__ts_done "${precmd_functions[@]}")
    fi 2>/dev/null
    if (( __ts_version >= 501 )); then
        __ts_arm
    elif [[ -n ${bash_preexec_imported-} ]]; then
        PROMPT_COMMAND="${PROMPT_COMMAND-}"$'\n'$__ts_last
    else
        PROMPT_COMMAND=$__ts_first$'\n'"${PROMPT_COMMAND-}"$'\n'$__ts_last
    fi 2>/dev/null
    export -n PROMPT_COMMAND
fi

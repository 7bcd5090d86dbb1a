# Read in place of the user's .zshenv, which comes first; all other files are the user's own.
@RESTORE@
if [[ -r ${ZDOTDIR:-$HOME}/.zshenv ]]; then
    builtin source ${ZDOTDIR:-$HOME}/.zshenv
fi

if [[ -o interactive ]]; then
    typeset -gi __ts_count=0

    # At the first prompt, when the user's files are done: first to hear of an end, last of a start.
    __ts_init() {
        { builtin local s=$?; builtin setopt local_options no_xtrace no_err_exit no_unset } 2>/dev/null
        precmd_functions=(__ts_done ${precmd_functions:#__ts_init} __ts_begin)
        preexec_functions+=(__ts_start)
        builtin autoload -Uz add-zle-hook-widget
        add-zle-hook-widget line-init __ts_prompt 2>/dev/null
        builtin return $s
    }

    __ts_done() {
        { builtin local s=$?; builtin setopt local_options no_xtrace no_err_exit } 2>/dev/null
        # Some themes call these from inside the line editor.
        builtin zle && builtin return $s
        (( __ts_count += 1 ))
        builtin printf '\e]7717;D;@NONCE@;%d;%d\a' $__ts_count $s >$TTY
        builtin return $s
    }

    # The prompt comes next.
    __ts_begin() {
        { builtin local s=$?; builtin setopt local_options no_xtrace no_err_exit } 2>/dev/null
        builtin zle && builtin return $s
        builtin printf '\e]7717;B;@NONCE@\a' >$TTY
        builtin return $s
    }

    __ts_start() {
        { builtin emulate -L zsh; builtin setopt no_xtrace } 2>/dev/null
        builtin local REPLY line=${1:-$3} folder=$PWD
        (( $#line <= 6000 )) || line=
        (( __ts_count += 1 ))
        __ts_encode $folder
        folder=$REPLY
        __ts_encode $line
        builtin printf '\e]7717;C;@NONCE@;%d;%s;%s\a' $__ts_count $folder $REPLY >$TTY
    }

    __ts_prompt() {
        { builtin emulate -L zsh; builtin setopt no_xtrace } 2>/dev/null
        case $CONTEXT in
            start) builtin printf '\e]7717;P;@NONCE@\a' >$TTY ;;
            cont) builtin printf '\e]7717;Q;@NONCE@\a' >$TTY ;;
        esac
    }

    __ts_encode() {
        { builtin emulate -L zsh; builtin setopt no_xtrace } 2>/dev/null
        REPLY=${1//\%/%25}
        REPLY=${REPLY//;/%3B}
        REPLY=${REPLY//$'\n'/%0A}
        REPLY=${REPLY//$'\t'/%09}
        REPLY=${REPLY//[[:cntrl:]]/?}
    }

    typeset -ga precmd_functions preexec_functions
    precmd_functions+=(__ts_init)
fi
